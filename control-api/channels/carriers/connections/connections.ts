import type { Clock } from "@parley/shared/clock.ts";
import type { AccountCarrierName, CarrierConnection } from "@parley/shared/contracts/carriers.ts";
import { rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Database } from "../../../database/open.ts";
import type { Audit } from "../../../identity/audit/audit.ts";
import { lockRole } from "../../../identity/memberships/store.ts";
import type { By } from "../../../identity/orgs/members.ts";
import { SEAL_CONTEXT } from "../../../sealed/contexts.ts";
import { type CarrierReach, createCarrier } from "./create-carrier.ts";
import { deleteConnection, findConnection, insertConnection, updateCredentials } from "./store.ts";

export interface ConnectionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly secrets: SecretBox;
  readonly reach: CarrierReach;
}

type Credentials = Readonly<Record<string, string>>;
const MANAGERS = rolesWith("manage_workplace");

/**
 * Connects an account, once the carrier has taken its credentials. Throws `AppError` validation_failed, bad_request
 * (the carrier does not take them), conflict (there is one at this carrier), unavailable, too_many_requests.
 */
export async function connect(
  { carrier, credentials }: { readonly carrier: AccountCarrierName; readonly credentials: Credentials },
  { actor, client }: By,
  deps: ConnectionsDeps,
): Promise<CarrierConnection> {
  const { orgId, userId } = actor;
  const account = await checkedAccount(carrier, { orgId, credentials }, deps.reach);
  const id = newId("con");
  const connection = await deps.database.db.transaction().execute(async (trx) => {
    await lockRole(trx, actor, MANAGERS);
    const at = new Date(deps.clock.wallMs());
    const credentialsSealed = deps.secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.carrier(id));
    return insertConnection(trx, { id, orgId, carrier, account, credentialsSealed, createdBy: userId, at });
  });
  if (!connection) {
    throw new AppError(
      "conflict",
      `There is an account at ${carrier} already; replace its credentials instead.`,
    );
  }
  await write("carrier.connected", connection, { actor, client }, deps);
  return connection;
}

/** Puts others in place of credentials, once the carrier has taken them. Throws as `connect`, and not_found. */
export async function replaceCredentials(
  { id, credentials }: { readonly id: string; readonly credentials: Credentials },
  { actor, client }: By,
  deps: ConnectionsDeps,
): Promise<CarrierConnection> {
  const { orgId } = actor;
  const known = await findConnection(deps.database, { id });
  if (known?.org_id !== orgId) throw none();
  const account = await checkedAccount(known.carrier, { orgId, credentials }, deps.reach);
  const connection = await deps.database.db.transaction().execute(async (trx) => {
    await lockRole(trx, actor, MANAGERS);
    const at = new Date(deps.clock.wallMs());
    const credentialsSealed = deps.secrets.seal(JSON.stringify(credentials), SEAL_CONTEXT.carrier(id));
    return updateCredentials(trx, { id, orgId, account, credentialsSealed, at });
  });
  if (!connection) throw none();
  await write("carrier.credentials_replaced", connection, { actor, client }, deps);
  return connection;
}

/** Throws `AppError` not_found. */
export async function disconnect(id: string, { actor, client }: By, deps: ConnectionsDeps): Promise<void> {
  const { orgId, userId } = actor;
  const isGone = await deps.database.db.transaction().execute(async (trx) => {
    await lockRole(trx, actor, MANAGERS);
    return deleteConnection(trx, orgId, id);
  });
  if (!isGone) throw none();
  const by = { kind: "user", id: userId } as const;
  const details = { connectionId: id };
  await deps.audit.write({ action: "carrier.disconnected", orgId, actor: by, client, details });
}

async function checkedAccount(
  name: AccountCarrierName,
  owned: { readonly orgId: string; readonly credentials: Credentials },
  reach: CarrierReach,
): Promise<string> {
  const { carrier, account } = createCarrier(name, owned, reach);
  await carrier.checkAccount().catch((error: unknown) => {
    // A 401 of the carrier is no 401 of ours: who asks is known well.
    if (!(error instanceof AppError) || error.code !== "unauthorized") throw error;
    throw new AppError("bad_request", error.message);
  });
  return account;
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
