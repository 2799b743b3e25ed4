import type { QueryOpts } from "@parley/platform/methods/data.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { allHold, boundOf, type Condition, indexed, jsonAt } from "./conditions.ts";

type Db = Kysely<Tables>;
type Order = NonNullable<QueryOpts["orderBy"]>;

/** A record as it is stored. */
export interface StoredRecord {
  readonly seq: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
  readonly created_at: Date;
  readonly updated_at: Date | null;
}

export interface ListRequest {
  readonly storeId: number;
  readonly conditions: readonly Condition[];
  readonly order: Order | undefined;
  readonly limit: number;
}

/** Conditions with at most this many matches drive the query and are sorted; others are read in order. */
const SELECTIVE = 1_000;
/** Conditions whose matches are counted first. */
const PROBED = 4;
const COLUMNS = sql`r.seq, r.id, r.data, r.created_at, r.updated_at`;

/**
 * Lists records in order. Picks the index itself: that of a condition few records meet, else that of the order, read
 * until enough are found. So no list ever sorts all records of a type.
 */
export async function listRecords(db: Db, request: ListRequest): Promise<StoredRecord[]> {
  const driver = await selectiveCondition(db, request);
  if (driver) return rows(db, drivenQuery(request, driver));
  const { order, limit } = request;
  if (!order || isOwn(order.field)) return rows(db, newestQuery(request, undefined));
  const first = await rows(db, orderedQuery(request, order));
  if (first.length >= limit) return first;
  // Records without the field come last.
  const rest = await rows(db, newestQuery({ ...request, limit: limit - first.length }, order));
  return [...first, ...rest];
}

/** Reads records by their numbers: in order, or else as they were named. */
export async function readRecords(
  db: Db,
  seqs: readonly string[],
  order: Order | undefined,
): Promise<StoredRecord[]> {
  if (seqs.length === 0) return [];
  const ranked = sql`array_position(${seqs}::bigint[], r.seq)`;
  return rows(
    db,
    sql<StoredRecord>`select ${COLUMNS} from app_records r where r.seq = any(${seqs}::bigint[])
      order by ${order ? orderOf(order) : ranked}`,
  );
}

/** Counts the records that meet all conditions. */
export async function countRecords(
  db: Db,
  { storeId, conditions }: Omit<ListRequest, "order" | "limit">,
): Promise<number> {
  const request = { storeId, conditions };
  const driver = await selectiveCondition(db, request);
  const from = driver
    ? drivenBy(driver, request)
    : sql`from app_records r where r.store_id = ${storeId} ${allHold(conditions)}`;
  const counted = await sql<{ count: string | number }>`select count(*) as count ${from}`.execute(db);
  return Number(counted.rows[0]?.count ?? 0);
}

export interface Driver {
  readonly condition: Condition;
  readonly found: RawBuilder<boolean>;
}

/** The condition that the fewest records meet, if few enough. */
export async function selectiveCondition(
  db: Db,
  { storeId, conditions }: Pick<ListRequest, "storeId" | "conditions">,
): Promise<Driver | undefined> {
  const drivers = conditions
    .flatMap((condition): Driver[] => {
      const found = indexed(condition);
      return found ? [{ condition, found }] : [];
    })
    .slice(0, PROBED);
  let best: { readonly driver: Driver; readonly count: number } | undefined;
  for (const driver of drivers) {
    const { rows: found } = await sql<{ count: string | number }>`select count(*) as count from (
      select 1 from app_record_values v
      where v.store_id = ${storeId} and v.field = ${driver.condition.field} and ${driver.found} limit ${SELECTIVE + 1}) as few`.execute(
      db,
    );
    const count = Number(found[0]?.count ?? 0);
    if (count <= SELECTIVE && (!best || count < best.count)) best = { driver, count };
    if (count === 0) break;
  }
  return best?.driver;
}

/** SQL from `from` on: the records `r` that meet a selective condition, read by it, and all others. */
export function drivenBy(
  { condition, found }: Driver,
  { storeId, conditions }: Pick<ListRequest, "storeId" | "conditions">,
): RawBuilder<unknown> {
  return sql`from app_record_values v join app_records r on r.seq = v.record
    where v.store_id = ${storeId} and v.field = ${condition.field} and ${found} ${allHold(conditions)}`;
}

function drivenQuery(request: ListRequest, driver: Driver) {
  const { order, limit } = request;
  return sql<StoredRecord>`select ${COLUMNS} ${drivenBy(driver, request)}
    order by ${orderOf(order)} limit ${limit}`;
}

/** Reads the order's index until enough are found; the planner, which cannot tell how soon, would sort them all. */
function orderedQuery(
  { storeId, conditions, limit }: ListRequest,
  { field, desc = false, numeric = false }: Order,
) {
  const direction = sql.raw(desc ? "desc" : "asc");
  const inOrder = sql`v.value ${direction}, v.record ${direction}`;
  const ofOrder = numeric ? "number" : "string";
  const ranges = conditions.flatMap((one) =>
    one.field === field && typeof one.operand === ofOrder ? (boundOf(one) ?? []) : [],
  );
  return sql<StoredRecord>`select ${COLUMNS} from (
      select v.record, ${sql.ref(numeric ? "v.num_value" : "v.text_value")} as value from app_record_values v
      where v.store_id = ${storeId} and v.field = ${field} ${numeric ? sql`and v.num_value is not null` : sql``}
        ${ranges.length === 0 ? sql`` : sql`and ${sql.join(ranges, sql` and `)}`}
      order by 2 ${direction}, 1 ${direction}) v
    cross join lateral (
      select * from app_records r where r.seq = v.record ${allHold(conditions)} offset 0) r
    order by ${inOrder} limit ${limit}`;
}

/** Newest first; with `without`, only records missing from that order's index. */
function newestQuery(request: ListRequest, without: Order | undefined) {
  const { storeId, conditions, order, limit } = request;
  const missing = without
    ? sql`and not exists (select 1 from app_record_values v where v.record = r.seq and v.field = ${without.field}
        ${without.numeric ? sql`and v.num_value is not null` : sql``})`
    : sql``;
  if (without || !order || order.field === "createdAt")
    return byAgeQuery(request, {
      missing,
      isOldestFirst: !without && order !== undefined && order.desc !== true,
    });
  return sql<StoredRecord>`select ${COLUMNS} from app_records r
    where r.store_id = ${storeId} ${allHold(conditions)} order by ${orderOf(order)} limit ${limit}`;
}

/** Reads records by age until enough are found, for the reason given at `orderedQuery`. */
function byAgeQuery(
  { storeId, conditions, limit }: ListRequest,
  { missing, isOldestFirst }: { readonly missing: RawBuilder<unknown>; readonly isOldestFirst: boolean },
) {
  const direction = sql.raw(isOldestFirst ? "asc" : "desc");
  return sql<StoredRecord>`select ${COLUMNS} from (
      select seq from app_records where store_id = ${storeId} order by seq ${direction}) v
    cross join lateral (
      select * from app_records r where r.seq = v.seq ${missing} ${allHold(conditions)} offset 0) r
    order by v.seq ${direction} limit ${limit}`;
}

function orderOf(order: Order | undefined): RawBuilder<unknown> {
  if (!order) return sql`r.seq desc`;
  const { field, desc = false, numeric = false } = order;
  const direction = sql.raw(desc ? "desc nulls last" : "asc nulls last");
  const tie = sql.raw(desc ? "desc" : "asc");
  if (field === "createdAt") return sql`r.seq ${tie}`;
  if (field === "id") return sql`r.id ${tie}`;
  if (field === "updatedAt") return sql`r.updated_at ${direction}, r.seq ${tie}`;
  const json = jsonAt(field);
  const value = numeric
    ? sql`case when jsonb_typeof(${json}) = 'number' or (${json} #>> '{}') ~ '^-?[0-9]{1,200}([.][0-9]{1,200})?$'
        then (${json} #>> '{}')::double precision end`
    : sql`(case when jsonb_typeof(${json}) in ('string', 'number', 'boolean') then ${json} #>> '{}' end) collate "C"`;
  // Among records without the field the newest is first, as where their index is read.
  return sql`${value} ${direction}, (case when ${value} is null then r.seq end) desc, r.seq ${tie}`;
}

function isOwn(field: string): boolean {
  return field === "id" || field === "createdAt" || field === "updatedAt";
}

async function rows(db: Db, query: RawBuilder<StoredRecord>): Promise<StoredRecord[]> {
  return [...(await query.execute(db)).rows];
}
