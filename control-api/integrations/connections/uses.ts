import type { ConnectionUse, OrgConnection } from "@parley/shared/contracts/integrations.ts";
import type { Kysely } from "kysely";
import { connectorAgents, type UsingAgent } from "../../agents/agents/agents-using.ts";
import type { Tables } from "../../database/tables.ts";
import { capabilitiesOf } from "../connector.ts";
import type { IntegrationParts } from "../deps.ts";
import { toConnection } from "./rows.ts";
import { type ConnectionRow, listConnections } from "./store.ts";

/** All connections of an organization, newest first, each with the agents that would act in it. */
export async function withUses(
  rows: readonly ConnectionRow[],
  orgId: string,
  { database, connectors }: Pick<IntegrationParts, "database" | "connectors">,
): Promise<OrgConnection[]> {
  const agents = rows.length === 0 ? [] : await connectorAgents(database.db, orgId);
  const newestThatCan = (capability: string) => newestOf(rows, capability, connectors);
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

/** Agents without a chosen connection that act in this one, and would have no alternative without it. */
export async function agentsLeftWithout(
  id: string,
  { orgId, trx, connectors }: { orgId: string; trx: Kysely<Tables> } & Pick<IntegrationParts, "connectors">,
): Promise<UsingAgent[]> {
  const agents = await connectorAgents(trx, orgId);
  if (agents.length === 0) return [];
  const rows = await listConnections(trx, orgId);
  const others = rows.filter((row) => row.id !== id);
  const isLast = (capability: string): boolean =>
    newestOf(rows, capability, connectors) === id && newestOf(others, capability, connectors) === undefined;
  return agents
    .filter(({ tools }) =>
      tools.some(({ connectionId, capability }) => connectionId === undefined && isLast(capability)),
    )
    .map(({ agentId, name }) => ({ agentId, name }));
}

/** The default connection for a capability: the first of `rows`, which are newest first, that serves it. */
function newestOf(
  rows: readonly ConnectionRow[],
  capability: string,
  connectors: IntegrationParts["connectors"],
): string | undefined {
  const can = ({ provider_id }: ConnectionRow): boolean => {
    const connector = connectors.get(provider_id);
    return connector !== undefined && capabilitiesOf(connector).some((known) => known === capability);
  };
  return rows.find((row) => row.status === "active" && can(row))?.id;
}
