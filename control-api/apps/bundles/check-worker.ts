import { parentPort, workerData } from "node:worker_threads";
import { checkBundle } from "@parley/platform/publish-checks/check-bundle.ts";

// Scripts of strangers are read here, and not beside requests: a large one takes seconds.
parentPort?.postMessage(checkBundle(workerData as ReadonlyMap<string, Uint8Array>));
