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

/** A tool in the agent version that a conversation began with. */
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

/** Like `findTool`, for a gateway's call; also undefined when the call does not exist or is over. */
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
