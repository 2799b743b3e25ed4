import type { PersonalData } from "../../modules/module.ts";

/** Call records: exported as stored, by session. */
export const RECORDED: readonly PersonalData[] = [
  {
    name: "calls",
    tables: ["calls"],
    read: (db, { orgId, sessionIds }) =>
      db
        .selectFrom("calls")
        .select(["session_id as sessionId", "channel", "direction", "from_number as from", "to_number as to"])
        .select(["identifier", "variables", "notes", "status", "end_reason as endReason"])
        .select(["created_at as createdAt", "started_at as startedAt", "ended_at as endedAt"])
        .where("org_id", "=", orgId)
        .where("session_id", "in", [...sessionIds])
        .orderBy("id")
        .execute(),
  },
  {
    name: "transcript",
    // The messages are derived from the events.
    tables: ["call_messages", "call_events"],
    read: (db, { orgId, sessionIds }) =>
      db
        .selectFrom("call_messages")
        .select(["session_id as sessionId", "role", "text", "at"])
        .where("org_id", "=", orgId)
        .where("session_id", "in", [...sessionIds])
        .orderBy("at")
        .orderBy("seq")
        .execute(),
  },
  {
    name: "tools",
    tables: ["call_tools"],
    read: (db, { orgId, sessionIds }) =>
      db
        .selectFrom("call_tools")
        .select(["session_id as sessionId", "name", "arguments", "result", "status", "at"])
        .where("org_id", "=", orgId)
        .where("session_id", "in", [...sessionIds])
        .orderBy("at")
        .execute(),
  },
  {
    name: "recordings",
    tables: ["recordings"],
    read: (db, { orgId, sessionIds }) =>
      db
        .selectFrom("recordings")
        .select(["id", "session_id as sessionId", "duration_ms as durationMs", "created_at as createdAt"])
        .where("org_id", "=", orgId)
        .where("session_id", "in", [...sessionIds])
        .where("deleted_at", "is", null)
        .orderBy("id")
        .execute(),
  },
];
