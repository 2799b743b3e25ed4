import { parentPort, workerData } from "node:worker_threads";
import { DOCUMENT_MAX_CHARS } from "@parley/shared/contracts/knowledge.ts";
import { UnreadableDocument } from "./document.ts";
import { extract } from "./extract.ts";
import type { WorkerOrder, WorkerReply } from "./in-worker.ts";
import { type DocumentPart, splitMarkdown } from "./split.ts";

const { format, bytes, isSplit } = workerData as WorkerOrder;

function reply(message: WorkerReply): void {
  parentPort?.postMessage(message);
}

/** None of a text that is refused for its length. */
function partsOf(markdown: string): DocumentPart[] {
  return isSplit && markdown.length <= DOCUMENT_MAX_CHARS ? splitMarkdown(markdown) : [];
}

try {
  const document = await extract(format, bytes);
  reply({ is: "read", document: { ...document, parts: partsOf(document.markdown) } });
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error;
  reply({ is: "unreadable", why: error.message });
}
