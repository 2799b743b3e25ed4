import { RECORD_LIMITS } from "@parley/platform/methods/limits.ts";
import { storableJson } from "@parley/platform/methods/storable.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { StoredRecord } from "./list.ts";
import { searchedWords } from "./search/words.ts";
import { indexedValues } from "./values.ts";

type Db = Kysely<Tables>;

/** The records of one type of an app in an organization. */
export interface StoreKey {
  readonly orgId: string;
  readonly appId: string;
  readonly type: string;
}

/** A record to write, and whether searches find its words. */
export interface Written {
  readonly data: Readonly<Record<string, unknown>>;
  readonly isSearched: boolean;
  readonly at: Date;
}

/** Undefined when the app has stored nothing of that type. */
export async function findStoreId(db: Db, { orgId, appId, type }: StoreKey): Promise<number | undefined> {
  const row = await db
    .selectFrom("app_stores")
    .select("id")
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("object_type", "=", type)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  return row?.id;
}

/** Throws `BridgeError` too_large, invalid_arguments, quota_exceeded. */
export async function insertRecord(
  trx: Db,
  key: StoreKey,
  { data, isSearched, at }: Written,
): Promise<StoredRecord> {
  const { json, bytes } = storableJson(data);
  const storeId = await takeRoom(trx, key, { records: 1, bytes });
  const row = await trx
    .insertInto("app_records")
    .values({
      store_id: storeId,
      id: newId("obj"),
      data: json,
      size_bytes: bytes,
      words: searchedWords(storeId, isSearched ? data : undefined),
      created_at: at,
    })
    .returning(["seq", "id", "data", "created_at", "updated_at"])
    .executeTakeFirstOrThrow();
  await insertValues(trx, { storeId, seq: row.seq }, data);
  return row;
}

/** Merges fields into a record. Throws as `insertRecord`, and not_found. */
export async function updateRecord(
  trx: Db,
  key: StoreKey,
  { id, data, isSearched, at }: Written & { readonly id: string },
): Promise<StoredRecord> {
  const storeId = await findStoreId(trx, key);
  const known =
    storeId === undefined
      ? undefined
      : await trx
          .selectFrom("app_records")
          .select(["seq", "data", "size_bytes"])
          .where("store_id", "=", storeId)
          .where("id", "=", id)
          .forUpdate()
          .executeTakeFirst();
  if (storeId === undefined || !known)
    throw new BridgeError("not_found", `There is no record ${id} of type ${key.type}.`);
  const merged = { ...known.data, ...data };
  const { json, bytes } = storableJson(merged);
  await takeRoom(trx, key, { records: 0, bytes: bytes - known.size_bytes });
  const row = await trx
    .updateTable("app_records")
    .set({
      data: json,
      size_bytes: bytes,
      words: searchedWords(storeId, isSearched ? merged : undefined),
      embedded_in: null,
      updated_at: at,
    })
    .where("seq", "=", known.seq)
    .returning(["seq", "id", "data", "created_at", "updated_at"])
    .executeTakeFirstOrThrow();
  await trx.deleteFrom("app_record_values").where("record", "=", known.seq).execute();
  await insertValues(trx, { storeId, seq: known.seq }, merged);
  return row;
}

/** Deletes a record; false when there was none. */
export async function deleteRecord(trx: Db, key: StoreKey, id: string): Promise<boolean> {
  const storeId = await findStoreId(trx, key);
  if (storeId === undefined) return false;
  const gone = await trx
    .deleteFrom("app_records")
    .where("store_id", "=", storeId)
    .where("id", "=", id)
    .returning("size_bytes")
    .executeTakeFirst();
  if (!gone) return false;
  await takeRoom(trx, key, { records: -1, bytes: -gone.size_bytes });
  return true;
}

/** An app's records of these types by their ids. */
export function findRecords(
  db: Db,
  { orgId, appId, types }: Omit<StoreKey, "type"> & { readonly types: readonly string[] },
  ids: readonly string[],
): Promise<(StoredRecord & { readonly type: string })[]> {
  if (ids.length === 0 || types.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("app_stores as stores")
    .innerJoin("app_records as records", "records.store_id", "stores.id")
    .select(["seq", "records.id", "data", "created_at", "updated_at", "object_type as type"])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("object_type", "in", types)
    .where("removed_at", "is", null)
    .where("records.id", "in", ids)
    .execute();
}

/** Counts added records and bytes. Writers of one type are serialized, so none slips past the quota. */
async function takeRoom(
  trx: Db,
  { orgId, appId, type }: StoreKey,
  { records, bytes }: { readonly records: number; readonly bytes: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into app_stores (org_id, app_id, object_type, records, bytes)
    values (${orgId}, ${appId}, ${type}, ${records}, ${bytes})
    on conflict (org_id, app_id, object_type) where removed_at is null
    do update set records = app_stores.records + ${records}, bytes = app_stores.bytes + ${bytes}
    returning id`.execute(trx);
  if (records > 0 || bytes > 0) await assertWithinQuota(trx, orgId, appId);
  return rows[0]?.id ?? 0;
}

async function assertWithinQuota(trx: Db, orgId: string, appId: string): Promise<void> {
  const used = await trx
    .selectFrom("app_stores")
    .select(({ fn }) => [
      fn.sum<string | number>("records").as("records"),
      fn.sum<string | number>("bytes").as("bytes"),
    ])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("removed_at", "is", null)
    .executeTakeFirstOrThrow();
  const { records, totalBytes } = RECORD_LIMITS;
  if (Number(used.records) > records)
    throw new BridgeError("quota_exceeded", `An app keeps at most ${records} records; delete some first.`);
  if (Number(used.bytes) > totalBytes)
    throw new BridgeError(
      "quota_exceeded",
      `An app keeps at most ${totalBytes} bytes of records; delete some first.`,
    );
}

async function insertValues(
  trx: Db,
  { storeId, seq }: { readonly storeId: number; readonly seq: string },
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const values = indexedValues(data);
  if (values.length === 0) return;
  await trx
    .insertInto("app_record_values")
    .values(
      values.map(({ f, k, t, n }) => ({
        record: seq,
        store_id: storeId,
        field: f,
        kind: k,
        text_value: t,
        num_value: n,
      })),
    )
    .execute();
}
