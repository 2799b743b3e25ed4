import { CapabilityError } from "./capability-error.ts";
import { accountOf } from "./connections/rows.ts";
import { listConnections } from "./connections/store.ts";
import type { IntegrationParts } from "./deps.ts";
import { openTokens, type Run } from "./vendor/open-context.ts";
import { VendorError } from "./vendor/vendor.ts";

/** Whose credentials to attach to a request that an app makes, and its host. */
export interface AuthorizedRequest {
  readonly orgId: string;
  readonly providerId: string;
  readonly host: string;
}

/**
 * The headers that authorize a request at a provider, from the most recently changed active account; renews an expiring
 * token first. Credentials only go to the vendor's own hosts: throws `CapabilityError` denied for another one,
 * connection_missing, vendor_failed.
 */
export async function authorizedHeaders(
  { orgId, providerId, host }: AuthorizedRequest,
  run: Run,
  parts: IntegrationParts,
): Promise<Readonly<Record<string, string>>> {
  const connector = parts.connectors.get(providerId);
  const rows = connector ? await listConnections(parts.database.db, orgId, [providerId]) : [];
  const [row] = rows
    .filter(({ status }) => status === "active")
    .toSorted((a, b) => b.updated_at.getTime() - a.updated_at.getTime());
  if (!connector || !row)
    throw new CapabilityError(
      "connection_missing",
      `No account of ${connector?.name ?? providerId} is connected.`,
    );
  const account = await accountOf(parts.database.db, row, parts.dataKeys);
  const hosts = connector.apiHosts?.(account) ?? [];
  if (!hosts.includes(host))
    throw new CapabilityError(
      "denied",
      hosts.length === 0
        ? `Accounts of ${connector.name} are not for requests of an app's own.`
        : `The account of ${connector.name} goes with requests to ${hosts.join(", ")}, and not to ${host}.`,
    );
  const owned = { orgId, connectionId: row.id, version: row.version };
  try {
    const token = await openTokens(connector, account, { ...owned, ...run }, parts)?.token();
    return connector.authorized(account.credentials, token);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof VendorError)) throw error;
    throw new CapabilityError("vendor_failed", error.message, { cause: error });
  }
}
