import type { CallSummary, CallsQuery } from "@parley/shared/contracts/calls.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { sql } from "kysely";
import { toSummary } from "./call-record.ts";
import { selectCalls } from "./store.ts";

/** Nobody is on a line there: a chat is open until it expires. */
const CHAT = "chat";

/** Calls of an organization that pass the filters, the newest first; ids sort by the time they were made. */
export async function listCalls({ db }: Database, orgId: string, query: CallsQuery): Promise<CallSummary[]> {
  const { status, agentId, direction, channel, userId } = query;
  const exact = { status, agent_id: agentId, direction, channel, user_id: userId };
  let calls = selectCalls(db)
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("recordings")
          .select("recordings.id")
          .whereRef("recordings.session_id", "=", "calls.session_id")
          .where("recordings.deleted_at", "is", null),
      ).as("has_recording"),
    )
    .where("calls.org_id", "=", orgId);
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined) calls = calls.where(sql.ref(`calls.${column}`), "=", value);
  }
  const { before, sessionId, number, from, to, text, live } = query;
  if (live !== undefined) calls = calls.where("calls.ended_at", "is", null).where("channel", "<>", CHAT);
  if (before !== undefined) calls = calls.where("calls.id", "<", before);
  if (sessionId !== undefined) calls = calls.where("calls.session_id", "in", sessionId.split(","));
  if (from !== undefined) calls = calls.where("calls.created_at", ">=", new Date(from));
  if (to !== undefined) calls = calls.where("calls.created_at", "<", new Date(to));
  if (number !== undefined) {
    calls = calls.where(({ or, eb }) => or([eb("from_number", "=", number), eb("to_number", "=", number)]));
  }
  if (text !== undefined) {
    calls = calls.where(({ exists, selectFrom }) =>
      exists(
        selectFrom("call_messages")
          .select("event_id")
          .whereRef("call_messages.session_id", "=", "calls.session_id")
          .where(sql<boolean>`strpos(lower(call_messages.text), lower(${text})) > 0`),
      ),
    );
  }
  const rows = await calls.orderBy("calls.id", "desc").limit(query.limit).execute();
  return rows.map((call) => ({ ...toSummary(call), hasRecording: Boolean(call.has_recording) }));
}
