import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DOCUMENT_MAX_CHARS, type DocumentFormat } from "@parley/shared/contracts/knowledge.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { type ReadDocument, UnreadableDocument } from "./document.ts";

/** The worker's only message. */
export type WorkerReply =
  | { readonly is: "read"; readonly document: ReadDocument }
  | { readonly is: "unreadable"; readonly why: string };

const MAX_MS = 60_000;
const MAX_HEAP_MIB = 384;

/** Like `readAllInWorker`, for searchable documents: those with text, and not too much of it. */
export async function readInWorker(
  format: DocumentFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const document = await readAllInWorker(format, bytes, signal);
  if (document.markdown.trim() === "") throw withoutText();
  return bounded(document);
}

/** Like `readInWorker`, for crawled pages: a page without text may still have links. */
export async function readCrawledInWorker(
  format: DocumentFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const document = await readAllInWorker(format, bytes, signal);
  if (document.markdown.trim() === "" && (document.links ?? []).length === 0) throw withoutText();
  return bounded(document);
}

/**
 * Reads a document in its own thread, terminated after a minute or beyond its memory limit: files are untrusted, and
 * calls run in the same process. Throws `UnreadableDocument`; with `signal` aborted, its reason.
 */
export async function readAllInWorker(
  format: DocumentFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ReadDocument> {
  const worker = new Worker(new URL("read-worker.ts", import.meta.url), {
    workerData: { format, bytes },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  const tooLong = AbortSignal.timeout(MAX_MS);
  try {
    const [reply] = (await once(worker, "message", { signal: AbortSignal.any([signal, tooLong]) })) as [
      WorkerReply,
    ];
    if (reply.is === "unreadable") throw new UnreadableDocument(reply.why);
    return reply.document;
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    signal.throwIfAborted();
    throw new UnreadableDocument(
      tooLong.aborted
        ? "Reading it took longer than a minute. Split it."
        : `It could not be read (${messageOf(error)}). Save it again, or as text, and upload that.`,
      { cause: error },
    );
  } finally {
    await worker.terminate();
  }
}

function bounded(document: ReadDocument): ReadDocument {
  if (document.markdown.length > DOCUMENT_MAX_CHARS) {
    throw new UnreadableDocument(
      `Its text has more than ${DOCUMENT_MAX_CHARS.toLocaleString("en-US")} characters. Split it.`,
    );
  }
  return document;
}

function withoutText(): UnreadableDocument {
  return new UnreadableDocument("There is no text in it.");
}
