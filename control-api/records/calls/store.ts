import type { Database } from "../../database/open.ts";
import { listFloor } from "./floor-store.ts";
import { listHandOffs, listPath } from "./path-store.ts";

/** Calls with their agent as it is now and the version the call ran with; the agent may be gone. */
export function callsWithAgents(db: Database["db"]) {
  return db
    .selectFrom("calls")
    .leftJoin("agents", "agents.id", "calls.agent_id")
    .leftJoin("agent_versions", (join) =>
      join
        .onRef("agent_versions.agent_id", "=", "calls.agent_id")
        .onRef("agent_versions.version", "=", "calls.agent_version"),
    );
}

/** Calls with the agent's name; if the agent is gone, the version's name. */
export function selectCalls(db: Database["db"]) {
  return callsWithAgents(db)
    .selectAll("calls")
    .select(({ fn }) => fn.coalesce("agents.name", "agent_versions.name").as("agent_name"));
}

/** A call of this organization with all its records, by call id or session id. */
export async function findCall(database: Database, orgId: string, id: string) {
  const { db } = database;
  const call = await selectCalls(db)
    .where("calls.org_id", "=", orgId)
    .where((where) => where.or([where("calls.id", "=", id), where("calls.session_id", "=", id)]))
    .executeTakeFirst();
  if (!call) return undefined;
  const of = call.session_id;
  const [messages, turns, floor, path, handOffs, tools, recording, analysis, pii] = await Promise.all([
    db.selectFrom("call_messages").selectAll().where("session_id", "=", of).orderBy("seq").execute(),
    db.selectFrom("call_turns").selectAll().where("session_id", "=", of).orderBy("turn").execute(),
    listFloor(database, of),
    listPath(database, of),
    listHandOffs(database, of),
    db.selectFrom("call_tools").selectAll().where("session_id", "=", of).orderBy("at").execute(),
    db
      .selectFrom("recordings")
      .selectAll()
      .where("session_id", "=", of)
      .where("deleted_at", "is", null)
      .executeTakeFirst(),
    db
      .selectFrom("call_analyses")
      .select(["analysis", "error", "analyzed_at"])
      .where("session_id", "=", of)
      .executeTakeFirst(),
    db
      .selectFrom("pii_vault")
      .select(["id", "rule_slug", "field_key", "source", "expires_at"])
      .where("session_id", "=", of)
      .orderBy("id")
      .execute(),
  ]);
  return { call, messages, turns, floor, path, handOffs, tools, recording, analysis, pii };
}

export type StoredCall = NonNullable<Awaited<ReturnType<typeof findCall>>>;
