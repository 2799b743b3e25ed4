import type { CallSummary, CallsQuery } from "@parley/shared/contracts/calls.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { toSummary } from "./call-record.ts";
import { filterCalls, newestFirst } from "./filter-calls.ts";
import { numberPart } from "./number-part.ts";
import { findPageBySearch } from "./search-store.ts";
import { selectCalls } from "./store.ts";

/** An organization's calls that pass the filters, newest first; ids sort by creation time. */
export async function listCalls(
  { db }: Database,
  orgId: string,
  { number, ...filters }: CallsQuery,
): Promise<CallSummary[]> {
  const query: CallsQuery = number === undefined ? filters : { ...filters, number: numberPart(number) };
  const isSearch = query.text !== undefined || query.number !== undefined;
  const ids = isSearch ? await findPageBySearch(db, orgId, query) : await findPage(db, orgId, query);
  if (ids.length === 0) return [];
  const rows = await selectCalls(db)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("recordings")
          .select("recordings.id")
          .whereRef("recordings.session_id", "=", "calls.session_id")
          .where("recordings.deleted_at", "is", null),
      ).as("has_recording"),
    )
    .where("calls.id", "in", ids)
    .execute();
  const found = new Map(
    rows.map((call) => [call.id, { ...toSummary(call), hasRecording: Boolean(call.has_recording) }]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function findPage(db: Kysely<Tables>, orgId: string, query: CallsQuery): Promise<string[]> {
  const rows = await newestFirst(filterCalls(db, orgId, query), query)
    .select("calls.id")
    .limit(query.limit)
    .execute();
  return rows.map(({ id }) => id);
}
