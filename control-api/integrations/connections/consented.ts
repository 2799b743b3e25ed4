import { AppError } from "@parley/shared/errors.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Account, Connector } from "../connector.ts";
import type { IntegrationParts } from "../deps.ts";
import type { Consented } from "../oauth/consent.ts";
import type { TokenEndpoint } from "../oauth/token-request.ts";
import type { VendorProblem } from "../vendor/vendor.ts";
import { credentialColumns } from "./rows.ts";
import { type ConnectionRow, lockConnection, type RowChanges, updateConnection } from "./store.ts";
import { changesBy, type Outcome, verifyAccount } from "./verify.ts";

/** Problems that may pass: the consent holds regardless. */
const PASSING: ReadonlySet<VendorProblem> = new Set(["rate_limited", "unreachable", "failed", "timed_out"]);

/**
 * Stores the tokens of a consent and activates the connection, then asks the vendor whose account it is. If the
 * connection was deleted meanwhile, gives the tokens back and throws `AppError` not_found.
 */
export async function keepConsent(
  { flow, at, tokens }: Consented,
  client: Client,
  deps: IntegrationParts,
): Promise<void> {
  const ref = { orgId: flow.orgId, id: flow.connectionId };
  const { client: known, tokenUrl, revokeUrl, revokesBy, resource } = at;
  const endpoint: TokenEndpoint = { client: known, tokenUrl, revokeUrl, revokesBy, resource };
  const kept = await deps.database.db.transaction().execute(async (trx) => {
    const row = await lockConnection(trx, ref.orgId, ref.id);
    const connector = row && deps.connectors.get(row.provider_id);
    if (!row || !connector?.oauth) return undefined;
    // A refresh without a scope requests everything granted; some vendors reject one that names it.
    await deps.grants.put(ref, endpoint, { ...tokens, scope: null }, trx);
    const before = JSON.parse(row.facts) as Record<string, string>;
    const facts = { ...before, ...connector.oauth.factsOf?.(tokens.reply) };
    const changes: RowChanges = {
      status: "active",
      last_error: null,
      warnings: "[]",
      facts: JSON.stringify(facts),
      ...(await credentialColumns(trx, ref, { connector, credentials: {} }, deps.dataKeys)),
    };
    const active = await updateConnection(trx, { ...row, at: new Date(deps.clock.wallMs()) }, changes);
    return active && { row: active, connector };
  });
  if (!kept) {
    await deps.grants.giveBack(ref, endpoint, tokens);
    throw new AppError(
      "not_found",
      "The connection was deleted in the meantime. Start again with a new one.",
    );
  }
  const missing = missingScopes(kept.connector, tokens.scope);
  if (missing.length > 0) await keepMissing(kept.row, missing, deps);
  else await askVendor(kept, deps);
  await deps.audit.write({
    action: "integration.authorized",
    orgId: ref.orgId,
    actor: { kind: flow.isByKey ? "key" : "user", id: flow.userId },
    client,
    details: { connectionId: ref.id, providerId: kept.connector.id },
  });
}

/** The scopes that were not granted; vendors let people untick some. */
function missingScopes({ oauth }: Connector, given: string | null): string[] {
  const has = given?.split(/[\s,]+/);
  return has === undefined ? [] : (oauth?.scopes ?? []).filter((scope) => !has.includes(scope));
}

async function keepMissing(
  row: ConnectionRow,
  missing: readonly string[],
  deps: IntegrationParts,
): Promise<void> {
  const last_error = `Not everything was allowed (missing: ${missing.join(", ")}). Authorize the connection again and allow all of it.`;
  const at = new Date(deps.clock.wallMs());
  await updateConnection(deps.database.db, { ...row, at }, { status: "error", last_error, verified_at: at });
}

async function askVendor(
  { row, connector }: { row: ConnectionRow; connector: Connector },
  deps: IntegrationParts,
): Promise<void> {
  const account: Account = {
    credentials: {},
    settings: JSON.parse(row.settings) as Record<string, string>,
    facts: JSON.parse(row.facts) as Record<string, string>,
  };
  const owned = { orgId: row.org_id, connectionId: row.id, version: row.version };
  const outcome = await verifyAccount(connector, account, owned, deps);
  const at = new Date(deps.clock.wallMs());
  await updateConnection(deps.database.db, { ...row, at }, changesBy(lenient(outcome), account, at));
}

function lenient(outcome: Outcome): Outcome {
  const { problem, verification } = outcome;
  if (problem === undefined || !PASSING.has(problem)) return outcome;
  const { error } = verification;
  return { verification: { ok: true, warnings: error === undefined ? [] : [error] } };
}
