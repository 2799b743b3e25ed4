import { CRAWLS_MAX, type KnowledgeCrawl } from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

export interface NewCrawl {
  readonly id: string;
  readonly baseId: string;
  readonly orgId: string;
  readonly url: string;
  readonly maxPages: number;
  readonly maxDepth: number;
  readonly refreshHours: number;
  readonly refreshAt: Date | null;
  readonly at: Date;
}

interface Place {
  readonly orgId: string;
  readonly baseId: string;
}

/** Throws not_found without the base, conflict when it has too many crawls. */
export async function insertCrawl(trx: Db, crawl: NewCrawl): Promise<void> {
  const { baseId, orgId } = crawl;
  const base = await trx
    .selectFrom("knowledge_bases")
    .select("id")
    .where("org_id", "=", orgId)
    .where("id", "=", baseId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!base) throw new AppError("not_found", `There is no knowledge base ${baseId}.`);
  if ((await listCrawls(trx, crawl)).length >= CRAWLS_MAX) {
    throw new AppError("conflict", `A knowledge base has at most ${CRAWLS_MAX} sites; delete one first.`);
  }
  await trx
    .insertInto("knowledge_crawls")
    .values({
      id: crawl.id,
      base_id: baseId,
      org_id: orgId,
      url: crawl.url,
      max_pages: crawl.maxPages,
      max_depth: crawl.maxDepth,
      refresh_hours: crawl.refreshHours,
      refresh_at: crawl.refreshAt,
      created_at: crawl.at,
    })
    .execute();
}

/** Crawls, oldest first. */
export async function listCrawls(db: Db, place: Place): Promise<KnowledgeCrawl[]> {
  return (await select(db, place).execute()).map(toCrawl);
}

/** Throws not_found. */
export async function findCrawl(db: Db, place: Place, id: string): Promise<KnowledgeCrawl> {
  const row = await select(db, place).where("crawl.id", "=", id).executeTakeFirst();
  if (!row) throw new AppError("not_found", `There is no site ${id} in this knowledge base.`);
  return toCrawl(row);
}

/** The settings for reading a crawl's pages; undefined when the crawl was deleted. */
export async function crawlToFollow(db: Db, id: string) {
  return db
    .selectFrom("knowledge_crawls")
    .select(["site", "robots", "robots_at as robotsAt"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Locks a crawl's row, so that its pages add others one at a time. */
export async function lockCrawl(trx: Db, id: string) {
  return trx
    .selectFrom("knowledge_crawls")
    .select(["max_pages as maxPages", "max_depth as maxDepth"])
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Stores a crawl's site and its robots.txt. */
export async function keepSite(
  db: Db,
  id: string,
  { site, robots, at }: { readonly site: string; readonly robots: string; readonly at: Date },
): Promise<void> {
  await db
    .updateTable("knowledge_crawls")
    .set({ site, robots, robots_at: at })
    .where("id", "=", id)
    .execute();
}

/** Takes crawls that are due for a refresh. */
export async function takeDueCrawls(trx: Db, now: Date, limit: number) {
  return trx
    .selectFrom("knowledge_crawls")
    .select(["id", "org_id as orgId", "base_id as baseId", "refresh_hours as refreshHours"])
    .where("refresh_at", "<=", now)
    .orderBy("refresh_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

/** Schedules the next refresh; it fetches robots.txt again. */
export async function planRefresh(trx: Db, id: string, at: Date | null): Promise<void> {
  await trx
    .updateTable("knowledge_crawls")
    .set({ refresh_at: at, robots_at: null })
    .where("id", "=", id)
    .execute();
}

/** Deletes a crawl with its documents. */
export async function deleteCrawlRow(trx: Db, id: string): Promise<void> {
  await trx.deleteFrom("knowledge_crawls").where("id", "=", id).execute();
}

function select(db: Db, { orgId, baseId }: Place) {
  return db
    .selectFrom("knowledge_crawls as crawl")
    .leftJoin("knowledge_documents as page", "page.crawl_id", "crawl.id")
    .select(["crawl.id", "crawl.url", "crawl.max_pages as maxPages", "crawl.max_depth as maxDepth"])
    .select(["crawl.refresh_hours as refreshHours", "crawl.created_at as createdAt"])
    .select([
      sql<number>`(count(*) filter (where page.state in ('queued', 'reading')))::integer`.as("waiting"),
      sql<number>`(count(*) filter (where page.state = 'ready'))::integer`.as("ready"),
      sql<number>`(count(*) filter (where page.state = 'failed'))::integer`.as("failed"),
      sql<string | null>`min(page.error) filter (where page.depth = 0 and page.state = 'failed')`.as("error"),
      sql<Date | null>`max(page.read_at)`.as("readAt"),
    ])
    .where("crawl.org_id", "=", orgId)
    .where("crawl.base_id", "=", baseId)
    .groupBy("crawl.id")
    .orderBy("crawl.id");
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toCrawl({ waiting, ready, failed, readAt, createdAt, ...crawl }: Row): KnowledgeCrawl {
  const came = ready > 0 ? "ready" : "failed";
  return {
    ...crawl,
    state: waiting === 0 ? came : "reading",
    pages: { waiting, ready, failed },
    readAt: readAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
