import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { distanceTo, storedVector } from "./scan-nearest.ts";

/** Rows per statement: each holds thousands of numbers. */
const BATCH = 50;

export interface DocumentToEmbed {
  readonly id: string;
  readonly orgId: string;
  readonly baseId: string;
  /** Tells whether the document was read anew meanwhile. */
  readonly contentHash: string | null;
}

/** Documents that lack vectors of a space: a few of each organization. */
export async function documentsToEmbed(
  db: Kysely<Tables>,
  space: string,
  { ofEach, limit }: { readonly ofEach: number; readonly limit: number },
): Promise<DocumentToEmbed[]> {
  const inTurn = lacking(db, space).select((eb) => [
    ...(["id", "org_id as orgId", "base_id as baseId", "content_hash as contentHash"] as const),
    eb.fn
      .agg<string>("row_number")
      .over((over) => over.partitionBy("org_id").orderBy("id"))
      .as("turn"),
  ]);
  return db
    .selectFrom(inTurn.as("documents"))
    .select(["id", "orgId", "baseId", "contentHash"])
    .where("turn", "<=", String(ofEach))
    .orderBy("turn")
    .limit(limit)
    .execute();
}

/** How many documents of an organization lack vectors of a space. */
export async function countToEmbed(db: Kysely<Tables>, orgId: string, space: string): Promise<number> {
  const { count } = await lacking(db, space)
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("org_id", "=", orgId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

function lacking(db: Kysely<Tables>, space: string) {
  return (
    db
      .selectFrom("knowledge_documents")
      .where("parts", ">", 0)
      // As "is distinct from", which no index answers.
      .where((eb) =>
        eb.or([eb("embedded_in", "is", null), eb("embedded_in", "<", space), eb("embedded_in", ">", space)]),
      )
  );
}

/** The texts of a document's parts, each with its headings, in order. */
export async function textsOf(
  db: Kysely<Tables>,
  documentId: string,
): Promise<{ seq: number; text: string }[]> {
  const parts = await db
    .selectFrom("knowledge_parts")
    .select(["seq", "heading", "text"])
    .where("document_id", "=", documentId)
    .orderBy("seq")
    .execute();
  return parts.map(({ seq, heading, text }) => ({
    seq,
    text: heading === "" ? text : `${heading}\n${text}`,
  }));
}

export interface PartVector {
  readonly seq: number;
  readonly vector: readonly number[];
}

/** Replaces a document's vectors; false, changing nothing, when it was read anew since its parts were embedded. */
export async function putVectors(
  trx: Kysely<Tables>,
  { document, space }: { readonly document: DocumentToEmbed; readonly space: string },
  vectors: readonly PartVector[],
): Promise<boolean> {
  const { id, baseId, contentHash } = document;
  // A reading changes this row after the parts: whoever comes second sees what the first one did.
  const current = await trx
    .selectFrom("knowledge_documents")
    .select("content_hash as contentHash")
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!current || current.contentHash !== contentHash) return false;
  await trx.deleteFrom("knowledge_vectors").where("document_id", "=", id).execute();
  for (let from = 0; from < vectors.length; from += BATCH) {
    const rows = vectors.slice(from, from + BATCH).map(({ seq, vector }) => ({
      document_id: id,
      seq,
      base_id: baseId,
      space,
      embedding: storedVector(vector),
    }));
    await trx.insertInto("knowledge_vectors").values(rows).execute();
  }
  await trx.updateTable("knowledge_documents").set({ embedded_in: space }).where("id", "=", id).execute();
  return true;
}

export interface Nearest {
  readonly baseIds: readonly string[];
  readonly space: string;
  readonly vector: readonly number[];
  /** Cosine similarity, from 0 to 1. */
  readonly minSimilarity: number;
  readonly limit: number;
}

/** The parts nearest to a vector in its space, nearest first. */
export async function nearestParts(
  db: Kysely<Tables>,
  { baseIds, space, vector, minSimilarity, limit }: Nearest,
) {
  const distance = distanceTo(vector);
  return db
    .with(
      (cte) => cte("near").materialized(),
      (qb) =>
        qb
          .selectFrom("knowledge_vectors")
          .select(["document_id", "seq", distance.as("distance")])
          .where("space", "=", sql<string>`${sql.lit(space)}`)
          .where("base_id", "in", [...baseIds])
          .orderBy(distance)
          .limit(limit),
    )
    .selectFrom("near")
    .innerJoin("knowledge_parts as part", (join) =>
      join.onRef("part.document_id", "=", "near.document_id").onRef("part.seq", "=", "near.seq"),
    )
    .innerJoin("knowledge_documents as document", "document.id", "part.document_id")
    .select(["part.base_id as knowledgeBaseId", "document.id as documentId", "document.name as document"])
    .select(["document.url", "part.seq", "part.heading", "part.text"])
    .where("near.distance", "<=", 1 - minSimilarity)
    .orderBy("near.distance")
    .execute();
}
