import type { Clock } from "@parley/shared/clock.ts";
import type { CreateKnowledgeCrawl, KnowledgeCrawl } from "@parley/shared/contracts/knowledge.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { removeDocument } from "../documents/parts-store.ts";
import { addReading } from "../documents/reading-job.ts";
import { insertDocument, pagesOfCrawl, requeueCrawl } from "../documents/store.ts";
import { deleteCrawlRow, findCrawl, insertCrawl, planRefresh, takeDueCrawls } from "./store.ts";

export interface CrawlsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Pick<JobQueue, "add" | "announce">;
}

interface Base {
  readonly orgId: string;
  readonly baseId: string;
}

const HOUR_MS = 3_600_000;
const CRAWLS_AT_ONCE = 20;

/** Begins a crawl with the page of an address; each page read adds those it links to. */
export async function startCrawl(
  base: Base,
  given: CreateKnowledgeCrawl,
  { database, clock, queue }: CrawlsDeps,
): Promise<KnowledgeCrawl> {
  const at = new Date(clock.wallMs());
  const first = new URL(given.url);
  first.hash = "";
  const crawl = { ...base, ...given, id: newId("crl"), url: first.href, at };
  await database.db.transaction().execute(async (trx) => {
    await insertCrawl(trx, { ...crawl, refreshAt: refreshAtOf(given.refreshHours, at) });
    const page = {
      ...base,
      id: newId("doc"),
      name: crawl.url.slice(0, 256),
      isNamed: false,
      source: "url",
      url: crawl.url,
      crawlId: crawl.id,
      at,
    } as const;
    await insertDocument(trx, page);
    await addReading(trx, page, queue);
  });
  queue.announce();
  return findCrawl(database.db, base, crawl.id);
}

/** Reads all pages of a crawl again, and those they link to now. Throws not_found. */
export async function refreshCrawl(
  base: Base,
  id: string,
  { database, clock, queue }: CrawlsDeps,
): Promise<KnowledgeCrawl> {
  const { refreshHours } = await findCrawl(database.db, base, id);
  const now = new Date(clock.wallMs());
  await database.db.transaction().execute((trx) => refresh(trx, { id, refreshHours, now }, queue));
  queue.announce();
  return findCrawl(database.db, base, id);
}

/** Deletes a crawl; searches no longer find its pages. Throws not_found. */
export async function deleteCrawl(base: Base, id: string, { database }: CrawlsDeps): Promise<void> {
  await findCrawl(database.db, base, id);
  await database.db.transaction().execute(async (trx) => {
    for (const page of await pagesOfCrawl(trx, id)) await removeDocument(trx, base.baseId, page);
    await deleteCrawlRow(trx, id);
  });
}

/** Requeues due crawls and returns how many. Call the queue's `announce` after the commit. */
export async function refreshDueCrawls(
  trx: Kysely<Tables>,
  now: Date,
  queue: Pick<JobQueue, "add">,
): Promise<number> {
  const due = await takeDueCrawls(trx, now, CRAWLS_AT_ONCE);
  for (const { id, refreshHours } of due) await refresh(trx, { id, refreshHours, now }, queue);
  return due.length;
}

interface Refresh {
  readonly id: string;
  readonly refreshHours: number;
  readonly now: Date;
}

async function refresh(
  trx: Kysely<Tables>,
  { id, refreshHours, now }: Refresh,
  queue: Pick<JobQueue, "add">,
): Promise<void> {
  await planRefresh(trx, id, refreshAtOf(refreshHours, now));
  for (const page of await requeueCrawl(trx, id)) await addReading(trx, page, queue);
}

function refreshAtOf(refreshHours: number, now: Date): Date | null {
  return refreshHours === 0 ? null : new Date(now.getTime() + refreshHours * HOUR_MS);
}
