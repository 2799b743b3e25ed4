import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { type BusToolSettings, isBusTool, type ToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import type { Database } from "../database/open.ts";

/** Where a tool's settings are found. */
export interface ToolPlace {
  readonly orgId: string;
  readonly agentId: string;
  readonly agentVersion: number;
  readonly name: string;
}

/** A tool as the version of the agent has it that a conversation began with. */
export async function findTool(
  { db }: Database,
  { orgId, agentId, agentVersion, name }: ToolPlace,
): Promise<BusToolSettings | undefined> {
  const row = await db
    .selectFrom("agent_versions")
    .select("settings")
    .where("agent_id", "=", agentId)
    .where("version", "=", agentVersion)
    .where("org_id", "=", orgId)
    .executeTakeFirst();
  return row && toolIn(row.settings, name);
}

/** The same for a call that a gateway holds; undefined as well when there is no such call, or it is over. */
export async function findToolOfCall(
  { db }: Database,
  { orgId, agentId, agentVersion, name, sessionId }: ToolPlace & { readonly sessionId: string },
): Promise<BusToolSettings | undefined> {
  const row = await db
    .selectFrom("calls")
    .innerJoin("agent_versions", (join) =>
      join
        .onRef("agent_versions.agent_id", "=", "calls.agent_id")
        .onRef("agent_versions.version", "=", "calls.agent_version"),
    )
    .select("agent_versions.settings")
    .where("calls.session_id", "=", sessionId)
    .where("calls.org_id", "=", orgId)
    .where("calls.agent_id", "=", agentId)
    .where("calls.agent_version", "=", agentVersion)
    .where("calls.ended_at", "is", null)
    .executeTakeFirst();
  return row && toolIn(row.settings, name);
}

function toolIn(settings: Readonly<Record<string, unknown>>, name: string): BusToolSettings | undefined {
  const tools: readonly ToolSettings[] = agentConfigSchema.parse(settings).brain.tools;
  return tools.filter(isBusTool).find((tool) => tool.name === name);
}
