import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../../database/tables.ts";
import { distanceTo, storedVector } from "../../../knowledge/vectors/scan-nearest.ts";
import { allHold } from "../conditions.ts";
import type { FoundRecord, SearchedRecords } from "./by-words.ts";

export interface RecordToEmbed {
  readonly seq: string;
  readonly orgId: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** When it was changed last, or created. */
  readonly at: Date;
}

/** Organizations with searched records that lack vectors of a space. */
export async function orgsToEmbed(db: Kysely<Tables>, space: string): Promise<string[]> {
  const { rows } = await sql<{ orgId: string }>`
    select distinct org_id as "orgId" from app_stores stores
    where removed_at is null and exists (
      select from app_records records where store_id = stores.id and words is not null and ${lacks(space)})
    order by 1`.execute(db);
  return rows.map(({ orgId }) => orgId);
}

/** Some of an organization's records that lack vectors of a space, in order, after one. */
export async function recordsToEmbed(
  db: Kysely<Tables>,
  { orgId, space, after, limit }: { orgId: string; space: string; after: string; limit: number },
): Promise<RecordToEmbed[]> {
  const { rows } = await sql<RecordToEmbed>`
    select seq::text as seq, org_id as "orgId", data, coalesce(updated_at, records.created_at) as at
    from app_stores stores join app_records records on store_id = stores.id
    where org_id = ${orgId} and removed_at is null and words is not null and ${lacks(space)}
      and seq > ${after}::bigint
    order by records.seq limit ${limit}`.execute(db);
  return [...rows];
}

/** As "is distinct from", which no index answers. */
function lacks(space: string): RawBuilder<boolean> {
  return sql`(embedded_in is null or embedded_in < ${space} or embedded_in > ${space})`;
}

/**
 * Keeps what records mean; an empty vector means that the service refused the record. Whoever was changed or deleted
 * meanwhile keeps none.
 */
export async function putVectors(
  trx: Kysely<Tables>,
  space: string,
  embedded: readonly { readonly record: RecordToEmbed; readonly vector: readonly number[] }[],
): Promise<void> {
  const seqs = embedded.map(({ record }) => record.seq);
  const current = await trx
    .selectFrom("app_records")
    .select([sql<string>`seq::text`.as("seq"), "store_id as storeId", "data"])
    .where("seq", "in", seqs)
    .orderBy("seq")
    .forUpdate()
    .execute();
  const same = current.flatMap(({ seq, storeId, data }) => {
    const one = embedded.find(({ record }) => record.seq === seq);
    return one && JSON.stringify(one.record.data) === JSON.stringify(data) ? [{ ...one, seq, storeId }] : [];
  });
  if (same.length === 0) return;
  const kept = same.map(({ seq }) => seq);
  await trx.deleteFrom("app_record_vectors").where("record", "in", kept).execute();
  const rows = same
    // Nothing is near to a vector without a direction.
    .filter(({ vector }) => vector.some((value) => value !== 0))
    .map(({ seq, storeId, vector }) => ({
      ...{ record: seq, store_id: storeId, space, embedding: storedVector(vector) },
    }));
  if (rows.length > 0) await trx.insertInto("app_record_vectors").values(rows).execute();
  await trx.updateTable("app_records").set({ embedded_in: space }).where("seq", "in", kept).execute();
}

export interface NearestRecords extends Omit<SearchedRecords, "search"> {
  readonly space: string;
  readonly vector: readonly number[];
  /** Cosine similarity, from 0 to 1. */
  readonly minSimilarity: number;
}

/** The records nearest to a vector in its space, nearest first. One that was changed since it was embedded is not among them. */
export async function nearestRecords(
  db: Kysely<Tables>,
  { storeId, conditions, space, vector, minSimilarity, limit }: NearestRecords,
): Promise<FoundRecord[]> {
  const distance = distanceTo(vector);
  const { rows } = await sql<FoundRecord>`
    with near as materialized (
      select r.seq, ${distance} as distance from app_record_vectors v join app_records r on r.seq = v.record
      where v.space = ${sql.lit(space)} and v.store_id = ${storeId} and r.embedded_in = v.space ${allHold(conditions)}
      order by ${distance} limit ${limit})
    select seq, 1::float8 as share from near where distance <= ${1 - minSimilarity} order by distance`.execute(
    db,
  );
  return rows;
}
