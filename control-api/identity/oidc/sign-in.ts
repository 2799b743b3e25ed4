import type { SignedIn } from "@parley/shared/contracts/accounts.ts";
import { cutText } from "@parley/shared/contracts/storable.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { addressBlock } from "@parley/shared/net/address-block.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { randomToken, sha256Hex, timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import * as oidc from "openid-client";
import { z } from "zod";
import type { Client } from "../../http/plugins/client.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { Identity } from "../accounts/identity.ts";
import { proveOwnership } from "../accounts/ownership.ts";
import { askForSecondFactor, complete } from "../accounts/sign-in.ts";
import { type Account, findAccount, findAccountById, insertAccount } from "../accounts/store.ts";
import { insertOrganization } from "../memberships/store.ts";
import { type Identifier, normalizeEmail } from "../otp/identifier.ts";
import type { OidcProviders } from "./providers.ts";
import { findIdentity, insertFlow, insertIdentity, takeFlow } from "./store.ts";

const FLOW_MS = 10 * 60_000;

export interface OidcDeps {
  readonly identity: Identity;
  readonly providers: OidcProviders;
  readonly secrets: SecretBox;
}

const flowSchema = z.object({ verifier: z.string(), nonce: z.string(), flowSecretHash: z.string() });
const claimsSchema = z.object({
  sub: z.string().min(1).max(255),
  email: z.string().nullish(),
  email_verified: z.union([z.boolean(), z.literal("true"), z.literal("false")]).nullish(),
  name: z.string().nullish(),
});
type Claims = z.infer<typeof claimsSchema>;

/** Begins a sign-in at a provider: authorization code with PKCE, state and nonce (RFC 9700). */
export async function startOidc(
  idp: string,
  client: Client,
  { identity, providers, secrets }: OidcDeps,
): Promise<{ authorizeUrl: string; flowSecret: string }> {
  const { limits, database, clock } = identity;
  await limits.take("sign_in_starts_per_address", addressBlock(client.ip));
  const { provider, configuration } = await providers.get(idp);
  const [state, nonce, flowSecret] = [randomToken(24), randomToken(24), randomToken(24)];
  const verifier = oidc.randomPKCECodeVerifier();
  const stateHash = sha256Hex(state);
  const flow = { verifier, nonce, flowSecretHash: sha256Hex(flowSecret) };
  await insertFlow(database, {
    stateHash,
    idp,
    sealed: secrets.seal(JSON.stringify(flow), SEAL_CONTEXT.oidcFlow(stateHash)),
    expiresAt: new Date(clock.wallMs() + FLOW_MS),
  });
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri(idp, identity),
    scope: provider.scope,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  return { authorizeUrl: url.href, flowSecret };
}

/**
 * Finishes a sign-in: redeems the code and signs the account in, linking or creating it if needed. Throws `AppError`
 * code_invalid (not begun here, repeated, too old, refused by the provider), forbidden, mfa_required with a token for
 * the challenge.
 */
export async function finishOidc(
  {
    idp,
    code,
    state,
    flowSecret,
    iss,
  }: { idp: string; code: string; state: string; flowSecret: string; iss?: string | undefined },
  client: Client,
  deps: OidcDeps,
): Promise<SignedIn> {
  const { identity, providers, secrets } = deps;
  const stateHash = sha256Hex(state);
  const at = new Date(identity.clock.wallMs());
  const sealed = await takeFlow(identity.database, { stateHash, idp, at });
  const flow =
    sealed === undefined
      ? undefined
      : flowSchema.parse(JSON.parse(secrets.open(sealed, SEAL_CONTEXT.oidcFlow(stateHash))));
  if (!flow || !timingSafeEqualText(flow.flowSecretHash, sha256Hex(flowSecret))) throw notOurs();
  const { configuration } = await providers.get(idp);
  const callback = new URL(redirectUri(idp, identity));
  callback.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString();
  const claims = await oidc
    .authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: flow.verifier,
      expectedState: state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    })
    .then((tokens) => claimsSchema.parse(tokens.claims()))
    .catch(async (cause: unknown) => {
      const details = { method: "oidc", idp };
      await identity.audit.write({ action: "auth.sign_in", outcome: "failure", client, details });
      throw notOurs(cause);
    });
  const account = await accountFor(idp, claims, { client, identity });
  if (account.mfaEnabled) return askForSecondFactor(account, identity);
  return complete(account, "oidc", { client, signIns: identity.signIns });
}

/** The account of a provider's subject; links or creates one by verified address. */
async function accountFor(
  idp: string,
  claims: Claims,
  { client, identity }: { client: Client; identity: Identity },
): Promise<Account> {
  const { database, clock, audit } = identity;
  const linked = await findIdentity(database.db, idp, claims.sub);
  if (linked !== undefined) return activeAccount(linked, identity);
  if (!claims.email || String(claims.email_verified) !== "true") {
    const details = { method: "oidc", idp };
    await audit.write({ action: "auth.sign_in", outcome: "failure", client, details });
    throw new AppError("forbidden", "The identity provider sent no verified email address for you.");
  }
  const identifier: Identifier = { channel: "email", value: normalizeEmail(claims.email) };
  const known = await findAccount(database, identifier);
  if (known && known.status !== "active") throw deactivated();
  if (known?.verifiedAt === null) {
    await proveOwnership(known, { client, identity, withMfa: true });
  }
  const userId = known?.id ?? (await makeAccount(identifier, claims, identity));
  const at = new Date(clock.wallMs());
  await insertIdentity(database.db, { idp, subject: claims.sub, userId, at });
  await audit.write({ action: "auth.identity_linked", userId, client, details: { idp } });
  return activeAccount(userId, identity);
}

async function makeAccount(identifier: Identifier, claims: Claims, identity: Identity): Promise<string> {
  const { config, database, clock } = identity;
  if (!config.identity.selfSignup) {
    throw new AppError("forbidden", "Accounts are by invitation only here. Ask your organization for one.");
  }
  const at = new Date(clock.wallMs());
  const id = newId("usr");
  const name = cutText((claims.name ?? "").replace(/\p{C}+/gu, " ").trim(), 128);
  await database.db.transaction().execute(async (trx) => {
    const isNew = await insertAccount(trx, { id, identifier, name, passwordHash: null, verifiedAt: at, at });
    if (!isNew) throw new AppError("conflict", "The account was created just now. Sign in again.");
    const orgName = cutText(`${name || identifier.value.split("@")[0]}'s organization`, 128);
    await insertOrganization(trx, { id: newId("org"), name: orgName, ownerId: id, at });
  });
  return id;
}

async function activeAccount(userId: string, { database }: Identity): Promise<Account> {
  const account = await findAccountById(database.db, userId);
  if (account?.status !== "active") throw deactivated();
  return account;
}

function deactivated(): AppError {
  return new AppError("forbidden", "This account cannot sign in here.");
}

function notOurs(cause?: unknown): AppError {
  return new AppError(
    "code_invalid",
    "This sign-in was started elsewhere, has expired, or was refused. Try again.",
    { cause },
  );
}

/** The page to which the provider redirects the browser; it posts what it received to the callback route. */
function redirectUri(idp: string, { baseUrl }: Pick<Identity, "baseUrl">): string {
  return `${baseUrl()}/sign-in/oidc/${idp}`;
}
