import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import { sql } from "kysely";
import type { Database } from "../../database/open.ts";

/** Bounds a record when a conversation loops through a flow all day. */
const MAX_NODES = 2_000;

/** The nodes that a call visited, in order. */
export async function listPath({ db }: Database, sessionId: string): Promise<CallRecord["path"]> {
  const rows = await db
    .selectFrom("call_events")
    .select([
      "at",
      sql<string | null>`body->>'node'`.as("node"),
      sql<number | null>`(body->>'turn')::int`.as("turn"),
      sql<string | null>`body->>'agentId'`.as("agentId"),
    ])
    .where("session_id", "=", sessionId)
    .where("type", "=", "call.node_entered")
    .orderBy("seq")
    .limit(MAX_NODES)
    .execute();
  return rows.flatMap(({ at, node, turn, agentId }) =>
    node === null || turn === null ? [] : [{ node, turn, at: at.toISOString(), agentId }],
  );
}

/** When another agent took over, and what it was told. */
export async function listHandOffs({ db }: Database, sessionId: string): Promise<CallRecord["handOffs"]> {
  const rows = await db
    .selectFrom("call_events")
    .select([
      "at",
      sql<string | null>`body->>'agentId'`.as("agentId"),
      sql<string | null>`body->>'summary'`.as("summary"),
      sql<number | null>`(body->>'agentVersion')::int`.as("agentVersion"),
    ])
    .where("session_id", "=", sessionId)
    .where("type", "=", "call.handed_off")
    .orderBy("seq")
    .execute();
  return rows.flatMap(({ at, agentId, agentVersion, summary }) =>
    agentId === null || agentVersion === null
      ? []
      : [{ agentId, agentVersion, summary: summary ?? "", at: at.toISOString() }],
  );
}
