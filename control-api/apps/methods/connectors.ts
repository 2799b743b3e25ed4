import { isGranted } from "@parley/platform/methods/scopes.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Database } from "../../database/open.ts";
import { CapabilityError } from "../../integrations/capability-error.ts";
import { type ConnectionRow, listConnections } from "../../integrations/connections/store.ts";
import { capabilitiesOf } from "../../integrations/connector.ts";
import { CONNECTORS } from "../../integrations/connectors/index.ts";
import type { Integrations } from "../../integrations/module.ts";
import type { BridgeCall, Handlers } from "../bridge/handlers.ts";
import { capabilityRefusal } from "./capability-refusal.ts";

/** Less than the call's own limit, so that the frame learns the reason. */
const DEADLINE_MS = 25_000;

export interface ConnectorsDeps {
  readonly database: Database;
  readonly runCapability: Integrations["run"];
}

/** `connector.…`: acts in accounts of the providers that the app has a scope for. */
export function connectorMethods(deps: ConnectorsDeps): Handlers {
  const { db } = deps.database;
  return {
    "connector.connections": async ({ capability }, { caller }) => {
      const providers = serving(capability).filter((id) => isGranted(caller.scopes, `connection:${id}`));
      const rows = await listConnections(db, caller.orgId, providers);
      return { connections: rows.map(toConnection) };
    },
    "connector.invoke": async ({ capability, args, opts = {} }, call) => {
      const connection = await connectionFor(capability, opts.connectionId, call, deps);
      const binding = opts.binding ?? {};
      const bound = isNested(binding) ? binding.settings : binding;
      const { orgId } = call.caller;
      const request = { orgId, capability, connectionId: connection.id, args: { ...args, ...bound } };
      try {
        const run = { signal: call.signal, deadlineMs: DEADLINE_MS };
        return { result: (await deps.runCapability(request, run)).result as never };
      } catch (error) {
        throw error instanceof CapabilityError ? capabilityRefusal(error) : error;
      }
    },
  };
}

/** The providers that serve a capability. */
function serving(capability: string): string[] {
  return CONNECTORS.filter((connector) => capabilitiesOf(connector).some((id) => id === capability)).map(
    ({ id }) => id,
  );
}

/**
 * The named account, or else the most recently changed active one; the app needs a scope for each candidate's provider.
 * Throws `BridgeError` not_found, scope_missing.
 */
async function connectionFor(
  capability: string,
  connectionId: string | undefined,
  { caller }: BridgeCall,
  { database }: ConnectorsDeps,
): Promise<ConnectionRow> {
  const providers = serving(capability);
  const rows = await listConnections(database.db, caller.orgId, providers);
  const candidates = rows.filter(({ id, status }) =>
    connectionId === undefined ? status === "active" : id === connectionId,
  );
  const isServed = providers.some((id) => isGranted(caller.scopes, `connection:${id}`));
  // Whoever may use no account at all learns that, and not which of them are connected.
  const needed = isServed ? candidates.map(({ provider_id }) => provider_id) : providers;
  const missing = needed.map((id) => `connection:${id}`).find((scope) => !isGranted(caller.scopes, scope));
  if (missing !== undefined)
    throw new BridgeError(
      "scope_missing",
      `connector.invoke needs scope ${missing}, which the app was not granted.`,
      {
        details: { scope: missing },
      },
    );
  const [newest] = candidates.toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime());
  if (newest) return newest;
  throw new BridgeError(
    "not_found",
    connectionId === undefined
      ? `No connected account can do ${capability}; connect one under Integrations.`
      : `There is no connection ${connectionId} that can do ${capability}.`,
  );
}

function toConnection({ id, provider_id: provider, label, status, settings }: ConnectionRow) {
  const { account } = JSON.parse(settings) as { readonly account?: string };
  return { id, provider, label, status, account: account ?? label };
}

function isNested(binding: object): binding is { readonly settings: Readonly<Record<string, unknown>> } {
  return "settings" in binding && typeof binding.settings === "object" && binding.settings !== null;
}
