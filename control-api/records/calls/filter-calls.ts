import type { CallsQuery } from "@parley/shared/contracts/calls.ts";
import { TEXT_CHANNELS } from "@parley/shared/contracts/text-channels.ts";
import { type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type WordOf, wordsOf } from "../analytics/call-words.ts";

/** Applies every filter except `text` and `number`; each has its index in `control-api/database/long-indexes.ts`. */
export function filterCalls(db: Kysely<Tables>, orgId: string, query: CallsQuery) {
  const { status, agentId, direction, channel, userId, before, sessionId, from, to, live } = query;
  const exact = { status, agent_id: agentId, direction, channel, user_id: userId };
  let calls = db.selectFrom("calls").where("calls.org_id", "=", orgId);
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined) calls = calls.where(sql.ref(`calls.${column}`), "=", value);
  }
  // Chats have nobody on the line, and stay open until they expire.
  if (live !== undefined)
    calls = calls.where("calls.ended_at", "is", null).where("channel", "not in", TEXT_CHANNELS);
  if (sessionId !== undefined) calls = calls.where("calls.session_id", "in", sessionId.split(","));
  if (from !== undefined) calls = calls.where("calls.created_at", ">=", new Date(from));
  if (to !== undefined) calls = calls.where("calls.created_at", "<", new Date(to));
  for (const word of wordsOf(query)) calls = calls.where(isCountedWith(orgId, word));
  if (before !== undefined) calls = calls.where(isBehind(before, orgId, query));
  return calls;
}

/** Compares the time as well, so that the words' index returns calls in order. */
function isCountedWith(orgId: string, { measure, value }: WordOf) {
  return sql<SqlBool>`exists (select from call_words word where word.call_id = calls.id and word.org_id = ${orgId}
    and word.measure = ${measure} and word.value = ${value} and word.created_at = calls.created_at)`;
}

/**
 * Sorts by id, which follows creation time. With a time or word filter, sorts by the time itself, or the planner would
 * step back through all newer calls. The two orders differ where the clocks of two processes do.
 */
export function newestFirst<T extends ReturnType<typeof filterCalls>>(calls: T, query: CallsQuery): T {
  const ordered = isOfTime(query) ? calls.orderBy("calls.created_at", "desc") : calls;
  return ordered.orderBy("calls.id", "desc") as T;
}

export function isBehind(id: string, orgId: string, query: CallsQuery) {
  if (!isOfTime(query)) return sql<SqlBool>`calls.id < ${id}`;
  const at = sql`(select cursor.created_at from calls cursor where cursor.id = ${id} and cursor.org_id = ${orgId})`;
  // If the call at the cursor is gone or another organization's, its id alone sets the position.
  return sql<SqlBool>`calls.created_at <= coalesce(${at}, 'infinity')
    and (calls.created_at < coalesce(${at}, '-infinity') or calls.id < ${id})`;
}

/** Words are indexed by the time of their calls. */
export function isOfTime(query: CallsQuery): boolean {
  return query.from !== undefined || query.to !== undefined || wordsOf(query).length > 0;
}
