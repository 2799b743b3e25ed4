import {
  DOCUMENTS_MAX,
  type DocumentFormat,
  type KnowledgeDocument,
} from "@parley/shared/contracts/knowledge.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

export interface NewDocument {
  readonly id: string;
  readonly baseId: string;
  readonly orgId: string;
  readonly name: string;
  /** Whether a person chose the name. */
  readonly isNamed: boolean;
  readonly source: "upload" | "url" | "text";
  readonly url?: string;
  readonly format?: DocumentFormat;
  /** An upload's or text's content, kept until it is read. */
  readonly content?: Uint8Array;
  readonly refreshHours?: number;
  /** The crawl that begins with this page. */
  readonly crawlId?: string;
  readonly at: Date;
}

interface Place {
  readonly orgId: string;
  readonly baseId: string;
}

/** Inserts a document to be read. Throws not_found without the base, conflict when the base is full. */
export async function insertDocument(trx: Kysely<Tables>, document: NewDocument): Promise<void> {
  const base = await trx
    .selectFrom("knowledge_bases")
    .select("id")
    .where("org_id", "=", document.orgId)
    .where("id", "=", document.baseId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!base) throw new AppError("not_found", `There is no knowledge base ${document.baseId}.`);
  const { count } = await trx
    .selectFrom("knowledge_documents")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("base_id", "=", document.baseId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= DOCUMENTS_MAX) {
    const message = `A knowledge base has at most ${DOCUMENTS_MAX} documents; delete one first.`;
    throw new AppError("conflict", message);
  }
  await trx
    .insertInto("knowledge_documents")
    .values({
      id: document.id,
      base_id: document.baseId,
      org_id: document.orgId,
      name: document.name,
      is_named: document.isNamed,
      source: document.source,
      url: document.url ?? null,
      format: document.format ?? null,
      content: document.content ?? null,
      refresh_hours: document.refreshHours ?? 0,
      crawl_id: document.crawlId ?? null,
      state: "queued",
      created_at: document.at,
    })
    .execute();
}

/** Documents older than `before`, newest first. */
export async function listDocuments(
  db: Kysely<Tables>,
  { orgId, baseId }: Place,
  { limit, before }: { readonly limit: number; readonly before?: string | undefined },
): Promise<KnowledgeDocument[]> {
  const rows = await select(db, { orgId, baseId })
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toDocument);
}

/** Throws not_found. */
export async function findDocument(db: Kysely<Tables>, place: Place, id: string): Promise<KnowledgeDocument> {
  const row = await select(db, place).where("id", "=", id).executeTakeFirst();
  if (!row) throw new AppError("not_found", `There is no document ${id} in this knowledge base.`);
  return toDocument(row);
}

/** The data a reading needs; undefined when the document was deleted. */
export async function documentToRead(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom("knowledge_documents as document")
    .innerJoin("knowledge_bases as base", "base.id", "document.base_id")
    .select(["document.id", "document.org_id as orgId", "document.base_id as baseId", "base.language"])
    .select(["source", "url", "format", "content", "content_hash as contentHash", "is_named as isNamed"])
    .select(["refresh_hours as refreshHours", "document.name", "document.parts"])
    .select(["crawl_id as crawlId", "depth"])
    .where("document.id", "=", id)
    .executeTakeFirst();
}
export type DocumentToRead = NonNullable<Awaited<ReturnType<typeof documentToRead>>>;

export async function markReading(db: Kysely<Tables>, id: string): Promise<void> {
  await db.updateTable("knowledge_documents").set({ state: "reading" }).where("id", "=", id).execute();
}

/** Marks a page to be read again, in its current version on the web. */
export async function requeue(trx: Kysely<Tables>, id: string): Promise<void> {
  await trx
    .updateTable("knowledge_documents")
    .set({ state: "queued", refresh_at: null })
    .where("id", "=", id)
    .execute();
}

/** Marks a crawl's documents to be read again; returns those that were not already waiting or being read. */
export async function requeueCrawl(
  trx: Kysely<Tables>,
  crawlId: string,
): Promise<{ id: string; orgId: string; baseId: string }[]> {
  return trx
    .updateTable("knowledge_documents")
    .set({ state: "queued" })
    .where("crawl_id", "=", crawlId)
    .where("state", "in", ["ready", "failed"])
    .returning(["id", "org_id as orgId", "base_id as baseId"])
    .execute();
}

/** The ids of a crawl's documents. */
export async function pagesOfCrawl(trx: Kysely<Tables>, crawlId: string): Promise<string[]> {
  const pages = await trx
    .selectFrom("knowledge_documents")
    .select("id")
    .where("crawl_id", "=", crawlId)
    .execute();
  return pages.map(({ id }) => id);
}

/** Changes a page's address; false, changing nothing, when another page of the crawl has it. */
export async function moveTo(
  trx: Kysely<Tables>,
  { id, crawlId }: { readonly id: string; readonly crawlId: string },
  url: string,
): Promise<boolean> {
  const other = await trx
    .selectFrom("knowledge_documents")
    .select("id")
    .where("crawl_id", "=", crawlId)
    .where("url", "=", url)
    .where("id", "!=", id)
    .executeTakeFirst();
  if (other) return false;
  await trx.updateTable("knowledge_documents").set({ url }).where("id", "=", id).execute();
  return true;
}

/** Records the result of a reading. After a failure, searches still find the earlier content. */
export async function settle(
  trx: Kysely<Tables>,
  id: string,
  to:
    | { readonly error: string; readonly refreshAt: Date | null }
    | {
        readonly name: string;
        readonly format: DocumentFormat;
        readonly hash: string;
        /** Undefined: unchanged. */
        readonly read: { readonly parts: number; readonly chars: number } | undefined;
        readonly refreshAt: Date | null;
        readonly at: Date;
      },
): Promise<void> {
  const query = trx.updateTable("knowledge_documents").where("id", "=", id);
  if ("error" in to) {
    await query.set({ state: "failed", error: to.error, refresh_at: to.refreshAt }).execute();
    return;
  }
  await query
    .set({
      state: "ready",
      error: null,
      name: to.name,
      format: to.format,
      content: null,
      content_hash: to.hash,
      ...(to.read ? { ...to.read, embedded_in: null } : {}),
      read_at: to.at,
      refresh_at: to.refreshAt,
    })
    .execute();
}

/** Takes pages that are due for a refresh. */
export async function takeDueForRefresh(
  trx: Kysely<Tables>,
  now: Date,
  limit: number,
): Promise<{ id: string; orgId: string; baseId: string }[]> {
  const due = await trx
    .selectFrom("knowledge_documents")
    .select(["id", "org_id as orgId", "base_id as baseId"])
    .where("refresh_at", "<=", now)
    .orderBy("refresh_at")
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
  for (const { id } of due) await requeue(trx, id);
  return due;
}

export async function deleteDocumentRow(trx: Kysely<Tables>, id: string): Promise<void> {
  await trx.deleteFrom("knowledge_documents").where("id", "=", id).execute();
}

function select(db: Kysely<Tables>, { orgId, baseId }: Place) {
  return db
    .selectFrom("knowledge_documents")
    .select(["id", "name", "source", "url", "format", "state", "error", "parts", "chars"])
    .select("crawl_id as crawlId")
    .select(["refresh_hours as refreshHours", "read_at as readAt", "created_at as createdAt"])
    .where("org_id", "=", orgId)
    .where("base_id", "=", baseId);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];

function toDocument({ readAt, createdAt, ...document }: Row): KnowledgeDocument {
  return { ...document, readAt: readAt?.toISOString() ?? null, createdAt: createdAt.toISOString() };
}
