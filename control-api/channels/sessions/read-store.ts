import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { heldEventsSchema } from "@parley/shared/contracts/chat.ts";
import type { SessionMessage, SessionPageQuery, ToolInvocation } from "@parley/shared/contracts/sessions.ts";
import type { Database } from "../../database/open.ts";

/** A session to read page by page. */
export interface ReadSession {
  readonly sessionId: string;
  readonly beganAt: Date;
  /** A chat's events that the event projector may not have written yet. */
  readonly held: readonly CallEvent[];
}

/** Finds a session of this organization by its id or its call's id. */
export async function findSession(
  { db }: Database,
  orgId: string,
  id: string,
): Promise<ReadSession | undefined> {
  const row = await db
    .selectFrom("calls")
    .leftJoin("chats", "chats.session_id", "calls.session_id")
    .select([
      "calls.session_id as sessionId",
      "calls.created_at as createdAt",
      "calls.started_at as startedAt",
      "chats.held_events as held",
    ])
    .where("calls.org_id", "=", orgId)
    .where((where) => where.or([where("calls.id", "=", id), where("calls.session_id", "=", id)]))
    .executeTakeFirst();
  if (!row) return undefined;
  const { sessionId, startedAt, createdAt, held } = row;
  return { sessionId, beganAt: startedAt ?? createdAt, held: held ? heldEventsSchema.parse(held) : [] };
}

/** Messages after `after`, in order. */
export async function findMessagePage(
  { db }: Database,
  session: ReadSession,
  { after, limit }: SessionPageQuery,
): Promise<SessionMessage[]> {
  const rows = await db
    .selectFrom("call_messages")
    .select(["event_id as id", "seq", "turn", "role", "text", "interrupted", "source", "at"])
    .where("session_id", "=", session.sessionId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
  const recorded = rows.map((row) => ({ ...row, ...timeOf(row.at, session) }));
  const held = session.held.flatMap((event) => {
    if (event.type !== "call.message" || event.seq <= after) return [];
    const { id, seq, turn, role, text, interrupted, source } = event;
    const message = { id, seq, turn, role, text, interrupted, source };
    return [{ ...message, ...timeOf(new Date(event.at), session) }];
  });
  return onePage(recorded, held, limit);
}

/** Tool invocations after `after`, in order. */
export async function findToolPage(
  { db }: Database,
  session: ReadSession,
  { after, limit }: SessionPageQuery,
): Promise<ToolInvocation[]> {
  const rows = await db
    .selectFrom("call_tools")
    .innerJoin("call_events", "call_events.id", "call_tools.event_id")
    .select([
      "call_tools.event_id as id",
      "call_events.seq as seq",
      "call_tools.turn as turn",
      "call_tools.name as name",
      "call_tools.arguments as arguments",
      "call_tools.result as result",
      "call_tools.status as status",
      "call_tools.latency_ms as durationMs",
      "call_tools.at as at",
    ])
    .where("call_tools.session_id", "=", session.sessionId)
    .where("call_events.seq", ">", after)
    .orderBy("call_events.seq")
    .limit(limit)
    .execute();
  const recorded = rows.map((row) => ({ ...row, ...timeOf(row.at, session) }));
  const held = session.held.flatMap((event) => {
    if (event.type !== "call.tool_invoked" || event.seq <= after) return [];
    const { id, seq, turn, name, arguments: args, result, status, latencyMs: durationMs } = event;
    const tool = { id, seq, turn, name, arguments: args, result, status, durationMs };
    return [{ ...tool, ...timeOf(new Date(event.at), session) }];
  });
  return onePage<ToolInvocation>(recorded, held, limit);
}

function timeOf(at: Date, { beganAt }: ReadSession): { at: string; offsetMs: number } {
  return { at: at.toISOString(), offsetMs: at.getTime() - beganAt.getTime() };
}

/** Merges recorded and held events. Held ones were read first, so those recorded in between appear in both. */
function onePage<T extends { readonly id: string; readonly seq: number }>(
  recorded: readonly T[],
  held: readonly T[],
  limit: number,
): T[] {
  const known = new Set(recorded.map(({ id }) => id));
  return [...recorded, ...held.filter(({ id }) => !known.has(id))]
    .toSorted((one, other) => one.seq - other.seq)
    .slice(0, limit);
}
