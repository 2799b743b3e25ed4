import type { ConnectionResult, CreateConnection } from "@parley/shared/contracts/integrations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Intend } from "../../http/idempotency/once.ts";
import { type Connector, isByConsent } from "../connector.ts";
import type { ConnectionActor, IntegrationParts } from "../deps.ts";
import { checkInput, type Given, mergeCredentials, mergeSettings, refuseMask } from "./input.ts";
import { mayConsent } from "./registered.ts";
import { credentialColumns, toConnection } from "./rows.ts";
import { type ConnectionRow, findByAccount, insertConnection } from "./store.ts";
import { changesBy, type Outcome, verifyAccount } from "./verify.ts";

/**
 * Connects an account. Asks the vendor first, unless the body says otherwise; a refusal is stored with the connection,
 * as status `error`. Throws `AppError` validation_failed, bad_request, conflict (the account is already connected; the
 * message names the connection), too_many_requests.
 */
export async function createConnection(
  body: CreateConnection,
  actor: ConnectionActor,
  deps: IntegrationParts,
  intend: Intend,
): Promise<ConnectionResult> {
  const connector = knownConnector(body.providerId, deps);
  const given = checkedGiven(connector, body, deps);
  await deps.limits.take("connector_writes_per_key", actor.id);
  const account = connector.identityOf?.(given) ?? "";
  await assertFree(connector, { orgId: actor.orgId, account }, deps);
  const id = newId("con");
  const isAsked = body.verify && !isByConsent(connector, given.credentials);
  let outcome: Outcome | undefined;
  if (isAsked) {
    await deps.limits.take("connector_verifications_per_key", actor.id);
    const owned = { orgId: actor.orgId, connectionId: id };
    outcome = await verifyAccount(connector, { ...given, facts: {} }, owned, deps);
  }
  const row = await store({ id, account, connector, given, outcome, label: body.label }, actor, deps, intend);
  await deps.audit.write({
    action: "integration.connected",
    orgId: actor.orgId,
    actor: { kind: actor.kind, id: actor.id },
    client: actor.client,
    details: { connectionId: id, providerId: connector.id, status: row.status },
  });
  return resultOf(row, connector, outcome);
}

/** The response for a created or changed connection. */
export function resultOf(
  row: ConnectionRow,
  connector: Connector,
  outcome: Outcome | undefined,
): ConnectionResult {
  const shown = JSON.parse(row.credentials_shown) as Record<string, string>;
  const needsConsent = isByConsent(connector, shown) && row.status !== "active";
  const url = `/api/v1/integrations/connections/${row.id}/authorize`;
  return {
    connection: toConnection(row, connector),
    verification: outcome?.verification ?? null,
    next: needsConsent ? { action: "authorize", method: "POST", url } : null,
  };
}

/** Throws `AppError` conflict, naming the connection that has the account. */
export async function assertFree(
  connector: Connector,
  { orgId, account, exceptId }: { orgId: string; account: string; exceptId?: string },
  { database }: Pick<IntegrationParts, "database">,
): Promise<void> {
  if (account === "") return;
  const other = await findByAccount(database.db, { orgId, providerId: connector.id, account });
  if (!other || other.id === exceptId) return;
  const message = `This ${connector.name} account is already connected as ${other.id}; update that connection instead (PATCH).`;
  throw new AppError("conflict", message, { details: { connectionId: other.id } });
}

function knownConnector(providerId: string, { connectors }: IntegrationParts): Connector {
  const connector = connectors.get(providerId);
  if (connector) return connector;
  const message = `There is no connector ${providerId} to connect here; see GET /api/v1/integrations/providers.`;
  throw new AppError("bad_request", message);
}

function checkedGiven(
  connector: Connector,
  { credentials, settings, verify }: CreateConnection,
  deps: IntegrationParts,
): Given {
  refuseMask(credentials);
  if (connector.authKind === "oauth2" && Object.keys(credentials).length > 0) {
    const message = `${connector.name} is connected with a sign-in. Create it without credentials, then POST to its authorize route.`;
    throw new AppError("bad_request", message);
  }
  if (!verify && connector.mustVerify !== undefined) throw new AppError("bad_request", connector.mustVerify);
  const given = {
    credentials: mergeCredentials(connector, {}, credentials),
    settings: mergeSettings({}, settings),
  };
  return checkInput(connector, given, { mayConsent: mayConsent(connector, deps) });
}

async function store(
  made: {
    id: string;
    account: string;
    connector: Connector;
    given: Given;
    outcome: Outcome | undefined;
    label: string | undefined;
  },
  actor: ConnectionActor,
  deps: IntegrationParts,
  intend: Intend,
): Promise<ConnectionRow> {
  const { id, account, connector, given, outcome, label } = made;
  const { orgId } = actor;
  const { clock, dataKeys, database } = deps;
  const row = await database.db.transaction().execute(async (trx) => {
    const at = new Date(clock.wallMs());
    const credentials = await credentialColumns(
      trx,
      { orgId, id },
      { connector, credentials: given.credentials },
      dataKeys,
    );
    const inserted = await insertConnection(trx, {
      id,
      org_id: orgId,
      provider_id: connector.id,
      account,
      label: label || connector.name,
      status: isByConsent(connector, given.credentials) ? "disconnected" : "active",
      ...credentials,
      settings: JSON.stringify(given.settings),
      facts: "{}",
      created_by: actor.id,
      created_at: at,
      ...(outcome ? changesBy(outcome, { settings: given.settings, facts: {} }, at) : {}),
    });
    if (inserted) await intend(id, trx);
    return inserted;
  });
  if (row) return row;
  await assertFree(connector, { orgId, account }, deps);
  throw new AppError("conflict", "Another connection to this account was just removed. Try again.");
}
