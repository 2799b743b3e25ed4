import { type Kysely, sql } from "kysely";
import type { Tables } from "../../../database/tables.ts";
import { distanceTo, storedVector } from "../../../knowledge/vectors/scan-nearest.ts";
import { allHold } from "../conditions.ts";
import type { FoundRecord, SearchedRecords } from "./by-words.ts";

export interface RecordToEmbed {
  readonly seq: string;
  readonly orgId: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Some searched records of one organization that lack vectors of a space; none when nobody's do. */
export async function recordsToEmbed(
  db: Kysely<Tables>,
  space: string,
  limit: number,
): Promise<RecordToEmbed[]> {
  const lacking = db
    .selectFrom("app_records as records")
    .innerJoin("app_stores as stores", "stores.id", "records.store_id")
    .select(["seq", "data", "org_id as orgId"])
    .where("records.words", "is not", null)
    .where("removed_at", "is", null)
    // As "is distinct from", which no index answers.
    .where((eb) =>
      eb.or([eb("embedded_in", "is", null), eb("embedded_in", "<", space), eb("embedded_in", ">", space)]),
    )
    .limit(limit);
  const records = await lacking.execute();
  return records.filter(({ orgId }) => orgId === records[0]?.orgId);
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
    .select(["seq", "store_id as storeId", "data"])
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

/** The records nearest to a vector in its space, nearest first. */
export async function nearestRecords(
  db: Kysely<Tables>,
  { storeId, conditions, space, vector, minSimilarity, limit }: NearestRecords,
): Promise<FoundRecord[]> {
  const distance = distanceTo(vector);
  const { rows } = await sql<FoundRecord>`
    with near as materialized (
      select r.seq, ${distance} as distance from app_record_vectors v join app_records r on r.seq = v.record
      where v.space = ${sql.lit(space)} and v.store_id = ${storeId} ${allHold(conditions)}
      order by ${distance} limit ${limit})
    select seq, 1::float8 as share from near where distance <= ${1 - minSimilarity} order by distance`.execute(
    db,
  );
  return rows;
}
