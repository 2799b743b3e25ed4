import type { Clock } from "@parley/shared/clock.ts";
import type { CarrierConnection } from "@parley/shared/contracts/carrier-connections.ts";
import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../../database/open.ts";
import type { Audit } from "../../../identity/audit/audit.ts";
import { lockRole } from "../../../identity/memberships/store.ts";
import type { By } from "../../../identity/orgs/members.ts";
import * as sealed from "../../../sealed/connections/connections.ts";
import type { CarrierReach } from "./create-carrier.ts";
import { carrierProviders } from "./create-carrier.ts";
import { CARRIER_CONNECTIONS, toCarrierConnection } from "./kind.ts";

export interface ConnectionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly secrets: SecretBox;
  readonly reach: CarrierReach;
  readonly baseUrl: () => string;
}

type Credentials = Readonly<Record<string, string>>;
const MANAGERS = rolesWith("manage_workplace");

/**
 * Connects an account after the carrier accepts its credentials. Throws `AppError` validation_failed, bad_request (the
 * carrier rejects them), conflict (this carrier is already connected), unavailable, too_many_requests.
 */
export async function connect(
  { carrier, credentials }: { readonly carrier: AccountCarrierName; readonly credentials: Credentials },
  by: By,
  deps: ConnectionsDeps,
): Promise<CarrierConnection> {
  const account = { provider: carrier, credentials };
  const row = await sealed.connect(account, by.actor, authorizeBy(by), sealedDeps(deps));
  if (!row) {
    throw new AppError(
      "conflict",
      `An account at ${carrier} is already connected. Replace its credentials instead.`,
    );
  }
  const connection = toCarrierConnection(row, deps.baseUrl());
  await write("carrier.connected", connection, by, deps);
  return connection;
}

/** Replaces credentials after the carrier accepts the new ones. Throws as `connect` does, and not_found. */
export async function replaceCredentials(
  replacement: { readonly id: string; readonly credentials: Credentials },
  by: By,
  deps: ConnectionsDeps,
): Promise<CarrierConnection> {
  const row = await sealed.replaceCredentials(replacement, by.actor, authorizeBy(by), sealedDeps(deps));
  if (!row) throw none();
  const connection = toCarrierConnection(row, deps.baseUrl());
  await write("carrier.credentials_replaced", connection, by, deps);
  return connection;
}

/** Throws `AppError` not_found. */
export async function disconnect(id: string, by: By, deps: ConnectionsDeps): Promise<void> {
  const { orgId, userId } = by.actor;
  const isGone = await sealed.disconnect({ orgId, id }, authorizeBy(by), sealedDeps(deps));
  if (!isGone) throw none();
  const actor = { kind: "user", id: userId } as const;
  const details = { connectionId: id };
  await deps.audit.write({ action: "carrier.disconnected", orgId, actor, client: by.client, details });
}

/** Re-checks the role, which the actor may have lost meanwhile. */
function authorizeBy({ actor }: By): sealed.Authorize {
  return (trx) => lockRole(trx, actor, MANAGERS);
}

function sealedDeps(deps: ConnectionsDeps): sealed.SealedConnectionsDeps<AccountCarrierName> {
  return { ...deps, kind: CARRIER_CONNECTIONS, providers: carrierProviders(deps.reach) };
}

async function write(
  action: string,
  { id, carrier, account }: CarrierConnection,
  { actor, client }: By,
  { audit }: ConnectionsDeps,
): Promise<void> {
  const by = { kind: "user", id: actor.userId } as const;
  const details = { connectionId: id, carrier, account };
  await audit.write({ action, orgId: actor.orgId, actor: by, client, details });
}

function none(): AppError {
  return new AppError("not_found", "There is no such carrier account in this organization.");
}
