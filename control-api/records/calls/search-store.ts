import type { CallsQuery } from "@parley/shared/contracts/calls.ts";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { filterCalls, isBehind, isOfTime, newestFirst } from "./filter-calls.ts";

/**
 * How many of the newest calls are scanned one by one. Frequent terms are found among them; rare ones have few hits in
 * the index, which is unordered and returns all of them.
 */
const LOOKED_THROUGH = { text: 1_000, number: 10_000 };
/** Shorter texts contain no trigram (`search_grams`) and are searched in every call. */
const INDEXED_CHARS = 3;

/** The ids of a page of calls in which `text` was said and whose numbers contain `number`; newest first. */
export async function findPageBySearch(
  db: Kysely<Tables>,
  orgId: string,
  query: CallsQuery,
): Promise<string[]> {
  const window = query.text === undefined ? LOOKED_THROUGH.number : LOOKED_THROUGH.text;
  const all = newestFirst(filterCalls(db, orgId, query), query);
  // The limit keeps the planner from looking for hits anywhere else.
  const hits = db
    .selectFrom(all.selectAll("calls").limit(window).as("calls"))
    .select("calls.id")
    .where(isHit(query));
  const newest = await (isOfTime(query) ? hits.orderBy("calls.created_at", "desc") : hits)
    .orderBy("calls.id", "desc")
    .limit(query.limit)
    .execute();
  const last = await all.select("calls.id").offset(window).limit(1).executeTakeFirst();
  if (!last || newest.length >= query.limit) return newest.map(({ id }) => id);
  const older = await all
    .select("calls.id")
    .where(({ or, eb }) => or([isBehind(last.id, orgId, query), eb("calls.id", "=", last.id)]))
    .where(isIndexedHit(orgId, query))
    .limit(query.limit - newest.length)
    .execute();
  return [...newest, ...older].map(({ id }) => id);
}

function isHit({ text, number }: CallsQuery): RawBuilder<SqlBool> {
  const said = sql<SqlBool>`exists (select from call_messages said where said.session_id = calls.session_id
    and strpos(lower(said.text), lower(${text})) > 0)`;
  const has = (column: "from_number" | "to_number") =>
    sql`strpos(coalesce(${sql.ref(`calls.${column}`)}, ''), ${number}) > 0`;
  const dialed = sql<SqlBool>`(${has("from_number")} or ${has("to_number")})`;
  if (text === undefined) return dialed;
  return number === undefined ? said : sql<SqlBool>`${said} and ${dialed}`;
}

/** Index hits, compared where they are found: few enough to sort, whatever the planner estimates. */
function isIndexedHit(orgId: string, query: CallsQuery): RawBuilder<SqlBool> {
  const { text, number } = query;
  if (text !== undefined && isIndexed(text)) {
    return sql<SqlBool>`calls.session_id in (with found as materialized (
      select distinct session_id from call_messages
      where search_grams(org_id, text) @> search_grams(${orgId}, ${text})
        and strpos(lower(text), lower(${text})) > 0
    ) select session_id from found) and ${number === undefined ? sql`true` : isHit({ ...query, text: undefined })}`;
  }
  if (number !== undefined && isIndexed(number)) {
    const numbers = sql`coalesce(from_number, '') || ' ' || coalesce(to_number, '')`;
    return sql<SqlBool>`calls.id in (with found as materialized (
      select id from calls where search_grams(org_id, ${numbers}) @> search_grams(${orgId}, ${number})
        and strpos(${numbers}, ${number}) > 0
    ) select id from found)`;
  }
  return isHit(query);
}

/** Counts characters as Postgres does. Shorter texts have no trigrams, and the index would return everything. */
export function isIndexed(text: string): boolean {
  return [...text].length >= INDEXED_CHARS;
}
