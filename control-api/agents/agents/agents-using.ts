import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import type { ConnectorTool } from "@parley/shared/contracts/tools/connector.ts";
import type { ToolSettings } from "@parley/shared/contracts/tools/kinds.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

export interface UsingAgent {
  readonly agentId: string;
  readonly name: string;
}

/** Agents whose own tools include one with these settings, in alphabetical order. */
export async function agentsUsing(
  trx: Kysely<Tables>,
  { orgId, tool }: { readonly orgId: string; readonly tool: Readonly<Record<string, unknown>> },
): Promise<UsingAgent[]> {
  return agentsWith(trx, orgId, JSON.stringify({ brain: { tools: [tool] } }))
    .select(["id as agentId", "name"])
    .execute();
}

/** The most agents a page is built from. */
const MAX_AGENTS = 500;

/** Agents that act in connected systems, with the tools they use there, in alphabetical order. */
export async function connectorAgents(
  db: Kysely<Tables>,
  orgId: string,
): Promise<(UsingAgent & { readonly tools: readonly ConnectorTool[] })[]> {
  const any = JSON.stringify({ brain: { tools: [{ kind: "connector" }] } });
  const rows = await agentsWith(db, orgId, any)
    .select(["id as agentId", "name", "settings"])
    .limit(MAX_AGENTS)
    .execute();
  return rows.map(({ agentId, name, settings }) => ({
    agentId,
    name,
    tools: (agentConfigSchema.parse(settings).brain.tools as readonly ToolSettings[]).filter(
      (tool) => tool.kind === "connector",
    ),
  }));
}

function agentsWith(db: Kysely<Tables>, orgId: string, settings: string) {
  return db
    .selectFrom("agents")
    .where("org_id", "=", orgId)
    .where(sql<boolean>`settings @> ${settings}::jsonb`)
    .orderBy("name");
}
