import type { CallsQuery } from "@parley/shared/contracts/calls.ts";
import { TEXT_CHANNELS } from "@parley/shared/contracts/text-channels.ts";
import { type Kysely, type SqlBool, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

/** What every filter but `text` and `number` leaves; each has its index, `control-api/database/long-indexes.ts`. */
export function filterCalls(db: Kysely<Tables>, orgId: string, query: CallsQuery) {
  const { status, agentId, direction, channel, userId, before, sessionId, from, to, live } = query;
  const exact = { status, agent_id: agentId, direction, channel, user_id: userId };
  let calls = db.selectFrom("calls").where("calls.org_id", "=", orgId);
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined) calls = calls.where(sql.ref(`calls.${column}`), "=", value);
  }
  // Nobody is on a line of a chat, which is open until it expires.
  if (live !== undefined)
    calls = calls.where("calls.ended_at", "is", null).where("channel", "not in", TEXT_CHANNELS);
  if (sessionId !== undefined) calls = calls.where("calls.session_id", "in", sessionId.split(","));
  if (from !== undefined) calls = calls.where("calls.created_at", ">=", new Date(from));
  if (to !== undefined) calls = calls.where("calls.created_at", "<", new Date(to));
  if (before !== undefined) calls = calls.where(isBehind(before, orgId, query));
  return calls;
}

/**
 * By id, which is by the time a call was made; of a time by that time itself, or the planner steps back through all calls that
 * are newer. The two orders differ where the clocks of two processes do.
 */
export function newestFirst<T extends ReturnType<typeof filterCalls>>(calls: T, query: CallsQuery): T {
  const ordered = isOfTime(query) ? calls.orderBy("calls.created_at", "desc") : calls;
  return ordered.orderBy("calls.id", "desc") as T;
}

export function isBehind(id: string, orgId: string, query: CallsQuery) {
  if (!isOfTime(query)) return sql<SqlBool>`calls.id < ${id}`;
  const at = sql`(select cursor.created_at from calls cursor where cursor.id = ${id} and cursor.org_id = ${orgId})`;
  // Where it is gone, or somebody else's, its id alone says what is behind it.
  return sql<SqlBool>`calls.created_at <= coalesce(${at}, 'infinity')
    and (calls.created_at < coalesce(${at}, '-infinity') or calls.id < ${id})`;
}

export function isOfTime({ from, to }: CallsQuery): boolean {
  return from !== undefined || to !== undefined;
}
