import { createHash } from "node:crypto";
import type { Clock } from "@parley/shared/clock.ts";
import type { DocumentFormat } from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Dispatchers } from "@parley/shared/net/egress.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { every, handles, type JobHandler, type JobRun, type WriteResult } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { refreshDueCrawls } from "../crawls/crawls.ts";
import { fetchCrawled } from "../crawls/fetch-crawled.ts";
import { followLinks } from "../crawls/follow-links.ts";
import type { RobotRules } from "../crawls/robots.ts";
import { GonePage, type ReadDocument, UnreadableDocument } from "../reading/document.ts";
import { type FetchedPage, fetchPage } from "../reading/fetch-page.ts";
import { readCrawledInWorker, readInWorker } from "../reading/in-worker.ts";
import { addEmbedding } from "../vectors/embed-documents.ts";
import { removeDocument, replaceParts } from "./parts-store.ts";
import { addReading, READ_DOCUMENT } from "./reading-job.ts";
import {
  type DocumentToRead,
  documentToRead,
  markReading,
  moveTo,
  settle,
  takeDueForRefresh,
} from "./store.ts";

export interface ReadingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, "add" | "announce">;
  readonly dispatchers: Dispatchers;
  /** Whether what was read is embedded as well. */
  readonly isEmbedded: boolean;
  readonly metrics: Pick<Metrics, "knowledgeDocumentsTotal" | "knowledgeReadSeconds">;
}

const HOUR_MS = 3_600_000;
const REFRESH_EVERY_MS = 60_000;
const REFRESH_AT_ONCE = 100;
/** Attempts with an unresponsive server, over about ten minutes. */
const ATTEMPTS = 6;
const FIRST_RETRY_MS = 10_000;
const CUT_OFF = "Parley stopped each time it read this document; nobody knows whether because of it.";
/** Each reading takes a thread; two leave the processor to calls. */
const SIDE_BY_SIDE = 2;

/** Jobs that read documents, and refresh due pages. */
export function readingJobs(deps: ReadingDeps): JobHandler[] {
  return [
    handles(READ_DOCUMENT, (run) => readDocument(run, deps), {
      attempts: ATTEMPTS,
      firstRetryMs: FIRST_RETRY_MS,
      sideBySide: SIDE_BY_SIDE,
      cutOff:
        ({ documentId }) =>
        (trx) =>
          gaveUp(trx, documentId, deps),
    }),
    every(REFRESH_EVERY_MS, "refresh_knowledge", () => refreshDue(deps)),
  ];
}

/** Reads a document in the background; the result is written in the transaction that ends the job. */
async function readDocument(
  { payload, signal, attempt }: JobRun<{ documentId: string }>,
  deps: ReadingDeps,
): Promise<WriteResult | undefined> {
  const document = await documentToRead(deps.database.db, payload.documentId);
  if (!document) return undefined;
  await markReading(deps.database.db, document.id);
  const began = deps.clock.monotonicMs();
  try {
    const write = await readAnew(document, signal, deps);
    deps.metrics.knowledgeReadSeconds.observe((deps.clock.monotonicMs() - began) / 1_000);
    return write;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GonePage && document.crawlId !== null && document.depth > 0) {
      deps.metrics.knowledgeDocumentsTotal.inc({ outcome: "gone" });
      return (trx) => removeDocument(trx, document.baseId, document.id);
    }
    const isFinal = error instanceof UnreadableDocument;
    if (!isFinal && attempt < ATTEMPTS) throw error;
    deps.metrics.knowledgeDocumentsTotal.inc({ outcome: "failed" });
    const why =
      isFinal || error instanceof AppError ? error.message : "The server of the address did not answer.";
    return (trx) => settle(trx, document.id, { error: why, refreshAt: refreshAtOf(document, deps.clock) });
  }
}

/** Says so on the document: it would be shown as being read for ever, and no refresh would take it again. */
async function gaveUp(trx: Kysely<Tables>, documentId: string, { clock }: ReadingDeps): Promise<void> {
  const document = await documentToRead(trx, documentId);
  if (document) await settle(trx, documentId, { error: CUT_OFF, refreshAt: refreshAtOf(document, clock) });
}

async function readAnew(
  document: DocumentToRead,
  signal: AbortSignal,
  deps: ReadingDeps,
): Promise<WriteResult> {
  const content = await contentOf(document, signal, deps);
  // The crawl was deleted together with the document.
  if (!content) return async () => undefined;
  const { format, bytes } = content;
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (hash === document.contentHash) {
    deps.metrics.knowledgeDocumentsTotal.inc({ outcome: "unchanged" });
    return (trx) => settle(trx, document.id, { ...settled(document, format, hash, deps), read: undefined });
  }
  const readIt = document.crawlId === null ? readInWorker : readCrawledInWorker;
  const found = await readIt(format, bytes, signal);
  const { parts } = found;
  deps.metrics.knowledgeDocumentsTotal.inc({ outcome: "read" });
  return async (trx) => {
    // If the document was deleted meanwhile, searches must not find it again.
    if (!(await documentToRead(trx, document.id))) return () => undefined;
    const { baseId, language } = document;
    if (!(await isItsOwn(trx, document, content))) {
      await removeDocument(trx, baseId, document.id);
      return () => undefined;
    }
    await replaceParts(trx, { baseId, documentId: document.id, language }, parts);
    const counts = { parts: parts.length, chars: found.markdown.length };
    const name = nameOf(document, found);
    await settle(trx, document.id, { ...settled(document, format, hash, deps), name, read: counts });
    await follow(trx, { document, content, found }, deps);
    if (deps.isEmbedded) await addEmbedding(trx, deps.queue);
    return () => deps.queue.announce();
  };
}

/** Moves a crawled page to the address it redirected to; false if another page of the crawl already has the address. */
async function isItsOwn(trx: Kysely<Tables>, document: DocumentToRead, { url }: Content): Promise<boolean> {
  const { id, crawlId, depth } = document;
  if (crawlId === null || url === undefined || url === document.url) return true;
  return (await moveTo(trx, { id, crawlId }, url)) || depth === 0;
}

async function follow(
  trx: Kysely<Tables>,
  {
    document,
    content: { url, rules },
    found,
  }: { readonly document: DocumentToRead; readonly content: Content; readonly found: ReadDocument },
  { queue, clock }: ReadingDeps,
): Promise<void> {
  const { crawlId, baseId, orgId, depth } = document;
  if (crawlId === null || url === undefined || rules === undefined) return;
  const at = new Date(clock.wallMs());
  const from = { crawlId, baseId, orgId, depth, url, rules, links: found.links ?? [], at };
  await followLinks(trx, from, queue);
}

function settled(document: DocumentToRead, format: DocumentFormat, hash: string, { clock }: ReadingDeps) {
  const refreshAt = refreshAtOf(document, clock);
  return { name: document.name, format, hash, refreshAt, at: new Date(clock.wallMs()) };
}

/** The content to read; `url` for pages, `rules` for crawled ones. */
interface Content extends Pick<FetchedPage, "format" | "bytes">, Partial<Pick<FetchedPage, "url">> {
  readonly rules?: RobotRules;
}

async function contentOf(
  { url, format, content, orgId, crawlId, depth }: DocumentToRead,
  signal: AbortSignal,
  deps: ReadingDeps,
): Promise<Content | undefined> {
  const { dispatchers } = deps;
  if (url !== null && crawlId !== null) return fetchCrawled({ url, crawlId, orgId, depth }, signal, deps);
  if (url !== null) return fetchPage(url, { dispatchers, orgId, signal });
  if (content === null || format === null) {
    throw new UnreadableDocument("What was uploaded is not kept. Upload it again.");
  }
  return { format, bytes: content };
}

function nameOf({ isNamed, name }: DocumentToRead, { title }: ReadDocument): string {
  const MAX_CHARS = 256;
  return isNamed || title === undefined ? name : title.replaceAll(/\s+/g, " ").slice(0, MAX_CHARS);
}

function refreshAtOf({ refreshHours }: DocumentToRead, clock: Clock): Date | null {
  return refreshHours === 0 ? null : new Date(clock.wallMs() + refreshHours * HOUR_MS);
}

async function refreshDue({ database, clock, queue }: ReadingDeps): Promise<void> {
  const now = new Date(clock.wallMs());
  const due = await database.db.transaction().execute(async (trx) => {
    const documents = await takeDueForRefresh(trx, now, REFRESH_AT_ONCE);
    for (const document of documents) await addReading(trx, document, queue);
    return documents.length + (await refreshDueCrawls(trx, now, queue));
  });
  if (due > 0) queue.announce();
}
