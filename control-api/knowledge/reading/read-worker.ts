import { parentPort, workerData } from "node:worker_threads";
import type { DocumentFormat } from "@parley/shared/contracts/knowledge.ts";
import { UnreadableDocument } from "./document.ts";
import { extract } from "./extract.ts";
import type { WorkerReply } from "./in-worker.ts";

const { format, bytes } = workerData as { readonly format: DocumentFormat; readonly bytes: Uint8Array };

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}

try {
  reply({ is: "read", document: await extract(format, bytes) });
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  reply({ is: "unreadable", why: error.message });
}
