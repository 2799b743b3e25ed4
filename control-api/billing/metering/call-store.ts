import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { MeteredCall } from "./measure.ts";

/** The calls by session, with the vendors of the agent version that ran them. */
export async function readMeteredCalls(
  trx: Kysely<Tables>,
  sessionIds: readonly string[],
): Promise<Map<string, MeteredCall>> {
  const rows = await trx
    .selectFrom("calls")
    .leftJoin("agents", "agents.id", "calls.agent_id")
    .leftJoin("agent_versions", (join) =>
      join
        .onRef("agent_versions.agent_id", "=", "calls.agent_id")
        .onRef("agent_versions.version", "=", "calls.agent_version"),
    )
    .select([
      "calls.session_id as sessionId",
      "calls.org_id as orgId",
      "calls.agent_id as agentId",
      "calls.channel",
      "calls.carrier",
      "calls.started_at as startedAt",
      "calls.node_id as nodeId",
      // All settings of an agent would be read for each call: prompts, tools and flows.
      sql<unknown>`coalesce(agent_versions.settings, agents.settings) -> 'stt'`.as("stt"),
      sql<unknown>`coalesce(agent_versions.settings, agents.settings) -> 'tts'`.as("tts"),
    ])
    .where("calls.session_id", "in", [...new Set(sessionIds)])
    .execute();
  return new Map(
    rows.map(({ stt, tts, ...call }) => [
      call.sessionId,
      { ...call, sttVendors: vendorsIn(stt, "client"), ttsVendors: vendorsIn(tts, "flite") },
    ]),
  );
}

/** Agent settings omit defaults. */
function vendorsIn(choices: unknown, standard: string): string[] {
  const named = Array.isArray(choices) ? choices : [{ vendor: standard }];
  return named.map(({ vendor }: { vendor?: unknown }) => String(vendor));
}
