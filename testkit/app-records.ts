import { conditionsOf } from "@parley/control-api/apps/records/conditions.ts";
import { listRecords, type StoredRecord } from "@parley/control-api/apps/records/list.ts";
import { foundByWords } from "@parley/control-api/apps/records/search/search.ts";
import { insertRecord } from "@parley/control-api/apps/records/store.ts";
import type { Tables } from "@parley/control-api/database/tables.ts";
import type { Query, QueryOpts } from "@parley/platform/methods/data.ts";
import { type Kysely, sql } from "kysely";

const APP = { orgId: "org_records", appId: "app_records" };
const FILLED = { ...APP, type: "task" };

/** Fills an empty database with records of one type with all fields indexed; returns their store. */
export async function fillRecords(db: Kysely<Tables>, records: number): Promise<number> {
  await db
    .insertInto("organizations")
    .values({ id: APP.orgId, name: "Records", created_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const first = { data: { title: "the first", rank: 0 }, isSearched: true, at: new Date() };
  const { store_id: storeId } = await db.transaction().execute(async (trx) => {
    const { id } = await insertRecord(trx, FILLED, first);
    return trx.selectFrom("app_records").select("store_id").where("id", "=", id).executeTakeFirstOrThrow();
  });
  await sql`
    insert into app_records (store_id, id, data, size_bytes, words, created_at)
    select ${storeId}, 'obj_' || i, jsonb_build_object(
      'title', 'task ' || i, 'rank', i, 'status', (array['open', 'done', 'late', 'new', 'held'])[1 + i % 5],
      'owner', 'usr_' || i % 1000, 'score', (i * 7919) % 100003, 'due', to_char(timestamp '2026-01-01' + i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')),
      200, to_tsvector('english', 'task ' || i || (array[' open', ' done', ' late', ' new', ' held'])[1 + i % 5] || case when i % 5000 = 0 then ' needle' else '' end) || ${`'§${storeId}' '¶'`}::text::tsvector,
      now() from generate_series(1, ${records}) as i`.execute(db);
  await sql`
    insert into app_record_values (record, store_id, field, kind, text_value, num_value)
    select r.seq, r.store_id, f.key, case when jsonb_typeof(f.value) = 'number' then 'n' else 's' end, f.value #>> '{}',
      case when jsonb_typeof(f.value) = 'number' then (f.value #>> '{}')::double precision end
    from app_records r, jsonb_each(r.data) as f where r.store_id = ${storeId} and r.data ? 'status'`.execute(
    db,
  );
  await sql`vacuum analyze app_records`.execute(db);
  await sql`vacuum analyze app_record_values`.execute(db);
  return storeId;
}

/** Typical queries of apps. */
export const RECORD_LISTS: Readonly<Record<string, { readonly query?: Query; readonly opts?: QueryOpts }>> = {
  "the newest": {},
  "in order of a number": { opts: { orderBy: { field: "score", numeric: true } } },
  "in order of a text, descending": { opts: { orderBy: { field: "title", desc: true } } },
  "a fifth of them, in order": {
    query: { status: "open" },
    opts: { orderBy: { field: "score", numeric: true } },
  },
  "a fifth of them, the newest": { query: { status: "late" } },
  "of one owner, in order": { query: { owner: "usr_7" }, opts: { orderBy: { field: "due" } } },
  "one by a value": { query: { title: "task 4711" } },
  "two conditions, in order": {
    query: { status: "done", owner: { $in: ["usr_1", "usr_11"] } },
    opts: { orderBy: { field: "rank", numeric: true, desc: true } },
  },
  "a range, in its order": {
    query: { rank: { $gte: 5_000 } },
    opts: { orderBy: { field: "rank", numeric: true } },
  },
  "a range of few, in another order": {
    query: { rank: { $gt: 100, $lt: 300 } },
    opts: { orderBy: { field: "title" } },
  },
  "what nothing has": { query: { owner: "usr_none" }, opts: { orderBy: { field: "score" } } },
  "a part of a text": { query: { title: { $contains: "42" } } },
  "by a rare word": { opts: { search: "needle" } },
  "by a rare word among frequent ones": { opts: { search: "the needle of what is late" } },
  "by a frequent word": { opts: { search: "late" } },
  "by a frequent word, of one owner": { query: { owner: "usr_7" }, opts: { search: "late" } },
};

/** Lists or searches records by words, as apps have it done. */
export function listAs(
  db: Kysely<Tables>,
  storeId: number,
  { query = {}, opts = {} }: (typeof RECORD_LISTS)[string],
): Promise<StoredRecord[]> {
  const { orderBy: order, limit = 100, search } = opts;
  const request = { storeId, conditions: conditionsOf(query), order, limit };
  return search === undefined ? listRecords(db, request) : foundByWords(db, { ...request, search });
}
