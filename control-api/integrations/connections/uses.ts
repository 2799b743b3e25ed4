import type { ConnectionUse, OrgConnection } from "@parley/shared/contracts/integrations.ts";
import { connectorAgents } from "../../agents/agents/agents-using.ts";
import { capabilitiesOf } from "../connector.ts";
import type { IntegrationParts } from "../deps.ts";
import { toConnection } from "./rows.ts";
import type { ConnectionRow } from "./store.ts";

/** All connections of an organization, the newest first, each with the agents that would act in it. */
export async function withUses(
  rows: readonly ConnectionRow[],
  orgId: string,
  { database, connectors }: Pick<IntegrationParts, "database" | "connectors">,
): Promise<OrgConnection[]> {
  const agents = rows.length === 0 ? [] : await connectorAgents(database.db, orgId);
  const canDo = (row: ConnectionRow, capability: string): boolean => {
    const connector = connectors.get(row.provider_id);
    return connector !== undefined && capabilitiesOf(connector).some((id) => id === capability);
  };
  const newestThatCan = (capability: string): string | undefined =>
    rows.find((row) => row.status === "active" && canDo(row, capability))?.id;
  const usesOf = (id: string): ConnectionUse[] =>
    agents.flatMap(({ agentId, name, tools }) => {
      const isPinned = tools.some(({ connectionId }) => connectionId === id);
      const isFound = tools.some(
        ({ connectionId, capability }) => connectionId === undefined && newestThatCan(capability) === id,
      );
      return isPinned || isFound ? [{ agentId, name, isPinned }] : [];
    });
  return rows.map((row) => ({
    ...toConnection(row, connectors.get(row.provider_id)),
    warnings: JSON.parse(row.warnings) as string[],
    usedBy: usesOf(row.id),
  }));
}
