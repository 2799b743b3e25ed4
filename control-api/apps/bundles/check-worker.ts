import { parentPort, workerData } from "node:worker_threads";
import { checkBundle } from "@parley/platform/publish-checks/check-bundle.ts";

// Untrusted scripts are parsed here, off the main thread: a large one takes seconds.
parentPort?.postMessage(checkBundle(workerData as ReadonlyMap<string, Uint8Array>));
