import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { DOCUMENT_MAX_CHARS, type DocumentFormat } from "@parley/shared/contracts/knowledge.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { type ReadDocument, UnreadableDocument } from "./document.ts";
import type { DocumentPart } from "./split.ts";

/** A document, and the parts that searches find. */
export interface SplitDocument extends ReadDocument {
  readonly parts: readonly DocumentPart[];
}

/** What the worker is given. */
export interface WorkerOrder {
  readonly format: DocumentFormat;
  readonly bytes: Uint8Array;
  /** Whether it splits the document as well: a text of 20 kB can be written so that this takes seconds. */
  readonly isSplit: boolean;
}

/** The worker's only message. */
export type WorkerReply =
  | { readonly is: "read"; readonly document: SplitDocument }
  | { readonly is: "unreadable"; readonly why: string };

const MAX_MS = 60_000;
const MAX_HEAP_MIB = 384;

/** Reads a document to be searched: one with text, and not too much of it. Throws as `readAllInWorker` does. */
export async function readInWorker(
  format: DocumentFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<SplitDocument> {
  const document = await work({ format, bytes, isSplit: true }, signal);
  if (document.markdown.trim() === "") throw withoutText();
  return bounded(document);
}

/** Like `readInWorker`, for crawled pages: a page without text may still have links. */
export async function readCrawledInWorker(
  format: DocumentFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<SplitDocument> {
  const document = await work({ format, bytes, isSplit: true }, signal);
  if (document.markdown.trim() === "" && (document.links ?? []).length === 0) throw withoutText();
  return bounded(document);
}

/** Reads a document, however long its text is. Throws `UnreadableDocument`; with `signal` aborted, its reason. */
export async function readAllInWorker(
  format: DocumentFormat,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<ReadDocument> {
  return work({ format, bytes, isSplit: false }, signal);
}

/**
 * Works in a thread of its own, terminated after a minute or beyond its memory limit: files are untrusted, and calls run
 * in the same process.
 */
async function work(order: WorkerOrder, signal: AbortSignal): Promise<SplitDocument> {
  const worker = new Worker(new URL("read-worker.ts", import.meta.url), {
    workerData: order,
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

function bounded(document: SplitDocument): SplitDocument {
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
