import type { CarrierConnection } from "@parley/shared/contracts/carrier-connections.ts";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { Database } from "../../../database/open.ts";
import type { ConnectionsKind } from "../../../sealed/connections/connections.ts";
import { listConnections, type StoredConnection } from "../../../sealed/connections/store.ts";
import { SEAL_CONTEXT } from "../../../sealed/contexts.ts";

/** Carrier accounts: an organization has one per carrier. */
export const CARRIER_CONNECTIONS: ConnectionsKind<AccountCarrierName> = {
  kind: "credentials of carriers",
  table: "carrier_connections",
  providerColumn: "carrier",
  providers: ACCOUNT_CARRIERS,
  context: SEAL_CONTEXT.carrier,
};

/** An organization's connections, as shown to it. */
export async function listCarriers(
  { db }: Database,
  { orgId, baseUrl }: { readonly orgId: string; readonly baseUrl: string },
): Promise<CarrierConnection[]> {
  const rows = await listConnections(db, CARRIER_CONNECTIONS, orgId);
  return rows.map((row) => toCarrierConnection(row, baseUrl));
}

/** The carriers at which an organization has an account. */
export async function connectedCarriers({ db }: Database, orgId: string): Promise<AccountCarrierName[]> {
  return (await listConnections(db, CARRIER_CONNECTIONS, orgId)).map(({ provider }) => provider);
}

/** @param baseUrl the server's public address */
export function toCarrierConnection(
  row: StoredConnection<AccountCarrierName>,
  baseUrl: string,
): CarrierConnection {
  return {
    id: row.id,
    carrier: row.provider,
    account: row.account,
    inboundUrl: `${baseUrl}/api/public/carriers/${row.id}/inbound`,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
