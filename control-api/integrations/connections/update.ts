import type {
  ConnectionResult,
  UpdateConnection,
  Verification,
} from "@parley/shared/contracts/integrations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { type Account, type Connector, isByConsent } from "../connector.ts";
import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { assertFree, resultOf } from "./create.ts";
import { checkInput, mergeCredentials, mergeSettings } from "./input.ts";
import { accountOf, credentialColumns } from "./rows.ts";
import { type ConnectionRow, findConnection, type RowChanges, updateConnection } from "./store.ts";
import { changesBy, type Outcome, verifyAccount } from "./verify.ts";

const UNIQUE_VIOLATION = "23505";
export const NO_CONNECTION = "There is no such connection in this organization.";

/**
 * Changes a connection; omitted fields stay. Asks the vendor again, unless the body says otherwise. Throws `AppError`
 * as `createConnection` does, and not_found.
 */
export async function changeConnection(
  id: string,
  body: UpdateConnection,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<ConnectionResult> {
  const { row, connector } = await existing(id, actor.orgId, deps);
  assertSameProvider(row, body);
  const before = await accountOf(deps.database.db, row, deps.dataKeys);
  const after = merged(connector, before, body);
  if (!body.verify && connector.mustVerify !== undefined)
    throw new AppError("bad_request", connector.mustVerify);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const account = connector.identityOf?.(after) ?? "";
  await assertFree(connector, { orgId: actor.orgId, account, exceptId: id }, deps);
  const isAsked = body.verify && !isAwaited(row, connector, after);
  const owned = { orgId: actor.orgId, connectionId: id, version: row.version + 1 };
  let outcome: Outcome | undefined;
  if (isAsked) {
    await deps.limits.take("connector_verifications_per_key", actor.id);
    outcome = await verifyAccount(connector, after, owned, deps);
  }
  const changed = await save({ row, connector, account, before, after, outcome, label: body.label }, deps);
  // Credentials replace the consent, so its access is given back.
  if (isByConsent(connector, before.credentials) && !isByConsent(connector, after.credentials))
    await (await deps.grants.forget({ orgId: actor.orgId, id }, deps.database.db))?.();
  await audit({ action: "integration.updated", row: changed }, actor, deps);
  return resultOf(changed, connector, outcome);
}

function assertSameProvider(row: ConnectionRow, { providerId }: UpdateConnection): void {
  if (providerId === undefined || providerId === row.provider_id) return;
  throw new AppError(
    "bad_request",
    `providerId cannot change: this is a connection to ${row.provider_id}; connect ${providerId} by POST.`,
  );
}

/** Asks the vendor again and stores the outcome. Throws `AppError` not_found, too_many_requests. */
export async function testConnection(
  id: string,
  actor: ConnectionActor,
  deps: IntegrationParts,
): Promise<Verification> {
  const { row, connector } = await existing(id, actor.orgId, deps);
  await deps.limits.take("connector_verifications_per_key", actor.id);
  if (row.status === "disconnected") {
    return {
      ok: false,
      error: "Nobody has given consent yet; authorize the connection first.",
      warnings: [],
    };
  }
  const account = await accountOf(deps.database.db, row, deps.dataKeys);
  const owned = { orgId: actor.orgId, connectionId: id, version: row.version };
  const outcome = await verifyAccount(connector, account, owned, deps);
  const at = new Date(deps.clock.wallMs());
  await updateConnection(deps.database.db, { ...row, at }, changesBy(outcome, account, at));
  const more = { ok: outcome.verification.ok };
  await audit({ action: "integration.tested", row, more }, actor, deps);
  return outcome.verification;
}

/** An organization's connection and its connector. Throws `AppError` not_found. */
export async function existing(
  id: string,
  orgId: string,
  { database, connectors }: Pick<IntegrationParts, "database" | "connectors">,
): Promise<{ row: ConnectionRow; connector: Connector }> {
  const row = await findConnection(database.db, orgId, id);
  const connector = row && connectors.get(row.provider_id);
  if (row && connector) return { row, connector };
  throw new AppError("not_found", NO_CONNECTION);
}

/** Audits an action on a connection, and its actor. */
export async function audit(
  {
    action,
    row,
    more = {},
  }: { action: string; row: ConnectionRow; more?: Readonly<Record<string, unknown>> },
  actor: ConnectionActor,
  deps: Pick<IntegrationParts, "audit">,
): Promise<void> {
  await deps.audit.write({
    action,
    orgId: actor.orgId,
    actor: { kind: actor.kind, id: actor.id },
    client: actor.client,
    details: { connectionId: row.id, providerId: row.provider_id, ...more },
  });
}

/**
 * Merges a change. The account's name comes from the vendor and is not a field: sent back as it was read, it is
 * ignored. It stays only while the account does.
 */
function merged(connector: Connector, before: Account, { credentials, settings }: UpdateConnection): Account {
  const { account, ...own } = before.settings;
  const given = {
    credentials: mergeCredentials(connector, before.credentials, credentials),
    settings: mergeSettings(own, withoutEcho(settings, account)),
  };
  const checked = checkInput(connector, given, { mayConsent: isByConsent(connector, before.credentials) });
  const isSame =
    credentials === undefined && connector.identityOf?.(before) === connector.identityOf?.(checked);
  return {
    credentials: checked.credentials,
    settings: isSame && account !== undefined ? { ...checked.settings, account } : checked.settings,
    facts: before.facts,
  };
}

/** Whether the vendor cannot be asked yet, as consent is missing. */
function isAwaited(
  { status }: Pick<ConnectionRow, "status">,
  connector: Connector,
  { credentials }: Pick<Account, "credentials">,
): boolean {
  return status === "disconnected" && isByConsent(connector, credentials);
}

function withoutEcho(
  settings: UpdateConnection["settings"],
  account: string | undefined,
): UpdateConnection["settings"] {
  if (settings?.account === undefined || settings.account !== account) return settings;
  const { account: _, ...fields } = settings;
  return fields;
}

async function save(
  change: {
    row: ConnectionRow;
    connector: Connector;
    account: string;
    before: Account;
    after: Account;
    outcome: Outcome | undefined;
    label: string | undefined;
  },
  deps: IntegrationParts,
): Promise<ConnectionRow> {
  const { row, connector, account, after, outcome, label } = change;
  const { clock, database, dataKeys } = deps;
  const at = new Date(clock.wallMs());
  const target = { orgId: row.org_id, id: row.id };
  const sealed = await credentialColumns(
    database.db,
    target,
    { connector, credentials: after.credentials },
    dataKeys,
  );
  const changes: RowChanges = {
    account,
    ...sealed,
    settings: JSON.stringify(after.settings),
    ...(label === undefined ? {} : { label: label || connector.name }),
    ...(outcome ? changesBy(outcome, after, at) : unasked(change)),
  };
  try {
    const saved = await updateConnection(database.db, { ...row, at }, changes);
    if (saved) return saved;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await assertFree(connector, { orgId: row.org_id, account, exceptId: row.id }, deps);
  }
  throw new AppError("conflict", "The connection was changed at the same time; read it and try again.");
}

/** Clears the earlier refusal, which says nothing about the changed credentials or settings. */
function unasked({
  row,
  connector,
  before,
  after,
}: {
  row: ConnectionRow;
  connector: Connector;
  before: Account;
  after: Account;
}): RowChanges {
  const isChanged =
    JSON.stringify([before.credentials, before.settings]) !==
    JSON.stringify([after.credentials, after.settings]);
  if (!isChanged || isAwaited(row, connector, after)) return {};
  return { status: "active", last_error: null, warnings: "[]" };
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION;
}
