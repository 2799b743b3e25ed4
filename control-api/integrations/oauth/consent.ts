import type { Clock } from "@parley/shared/clock.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import type { LinkSigner } from "@parley/shared/security/link-signer.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { randomToken, sha256Hex } from "@parley/shared/security/secrets.ts";
import * as oidc from "openid-client";
import type { Database } from "../../database/open.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { claimFlow, insertFlow, takeFlow } from "./flow-store.ts";
import { assertStillMay } from "./still-may.ts";
import { DeadGrant, requestTokens, type TokenEndpoint, type Tokens } from "./token-request.ts";

/** Lifetime of a consent link. */
export const CONSENT_MS = 10 * 60_000;

/** The principal and purpose of a consent. */
export interface ConsentFor {
  /** The kind of connection; a state is only valid for its kind. */
  readonly kind: string;
  readonly orgId: string;
  readonly connectionId: string;
  readonly userId: string;
  /** Begun by an API key; `userId` is the key's id. */
  readonly isByKey?: boolean;
}

/** Where to ask for consent, and where to redeem the code. */
export interface ConsentAt extends TokenEndpoint {
  readonly authorizeUrl: string;
  /** The issuer of the tokens; null: the vendor has no issuer name. */
  readonly issuer: string | null;
  /** Whether every response names the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  readonly scope: string | null;
  readonly parameters: Readonly<Record<string, string>>;
  readonly redirectUri: string;
}

interface Flow extends ConsentFor {
  readonly at: ConsentAt;
  readonly verifier: string;
}

export interface ConsentDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  readonly signer: LinkSigner;
}

export interface BegunConsent {
  readonly authorizeUrl: string;
  readonly state: string;
  /** The cookie value of the browser that began the consent: only that browser can complete it. */
  readonly browserSecret: string;
}

/** Begins a consent: authorization code with PKCE, and a signed single-use state, valid ten minutes, in one browser. */
export async function beginConsent(of: ConsentFor, at: ConsentAt, deps: ConsentDeps): Promise<BegunConsent> {
  const browserSecret = randomToken(24);
  const { flow, state } = await store(of, at, browserSecret, deps);
  return { authorizeUrl: await addressOf(flow, state), state, browserSecret };
}

/** Like `beginConsent`, without a browser: the first that opens it by `openConsent` is bound. */
export async function prepareConsent(
  of: ConsentFor,
  at: ConsentAt,
  deps: ConsentDeps,
): Promise<{ readonly state: string }> {
  const { state } = await store(of, at, null, deps);
  return { state };
}

/**
 * Binds a prepared consent to the browser that opens it, which may open it again. Throws `AppError` code_invalid when
 * the link has expired, was used, or belongs to another browser.
 */
export async function openConsent(
  { kind, state, cookie }: Pick<Callback, "kind" | "state" | "cookie">,
  deps: ConsentDeps,
): Promise<BegunConsent> {
  assertSigned(kind, state, deps);
  const browserSecret = cookie(cookieOf(state)) ?? randomToken(24);
  const stateHash = sha256Hex(state);
  const at = new Date(deps.clock.wallMs());
  const sealed = await claimFlow(deps.database, { stateHash, browserHash: sha256Hex(browserSecret), at });
  if (sealed === undefined) throw notOurs();
  return { authorizeUrl: await addressOf(flowIn(sealed, stateHash, deps), state), state, browserSecret };
}

async function store(
  of: ConsentFor,
  at: ConsentAt,
  browserSecret: string | null,
  { database, clock, secrets, signer }: ConsentDeps,
): Promise<{ flow: Flow; state: string }> {
  const nonce = randomToken(24);
  const state = `${nonce}.${signer.sign(`${of.kind}:${nonce}`)}`;
  const stateHash = sha256Hex(state);
  const flow: Flow = { ...of, at, verifier: oidc.randomPKCECodeVerifier() };
  await insertFlow(database, {
    stateHash,
    orgId: of.orgId,
    browserHash: browserSecret === null ? null : sha256Hex(browserSecret),
    sealed: secrets.seal(JSON.stringify(flow), SEAL_CONTEXT.oauthFlow(stateHash)),
    expiresAt: new Date(clock.wallMs() + CONSENT_MS),
  });
  return { flow, state };
}

async function addressOf({ at, verifier }: Flow, state: string): Promise<string> {
  const url = new URL(at.authorizeUrl);
  const query = {
    ...at.parameters,
    response_type: "code",
    client_id: at.client.id,
    redirect_uri: at.redirectUri,
    state,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(at.scope === null ? {} : { scope: at.scope }),
    ...(at.resource === null ? {} : { resource: at.resource }),
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The parameters and cookies of a callback. */
export interface Callback {
  readonly kind: string;
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
  /** Roles of those who may complete it. */
  readonly roles: readonly Role[];
  /** Reads a cookie by name. */
  readonly cookie: (name: string) => string | undefined;
}

/** The result of a consent. */
export interface Consented {
  readonly flow: ConsentFor;
  readonly at: ConsentAt;
  readonly tokens: Tokens;
}

/** The cookie name of a consent: a browser may have several under way. */
export function cookieOf(state: string): string {
  return `parley_consent_${sha256Hex(state).slice(0, 16)}`;
}

/**
 * Completes a consent by redeeming the code. Throws `AppError` code_invalid (not begun here, repeated, expired, another
 * browser or issuer, refused by the vendor), forbidden (who began it may not any more), vendor_failed, vendor_rejected.
 */
export async function finishConsent(
  callback: Callback,
  { dispatchers, ...deps }: ConsentDeps & { readonly dispatchers: Dispatchers },
): Promise<Consented> {
  const { at, verifier, ...flow } = await flowOf(callback, deps);
  assertIssuer(at, callback.iss);
  await assertStillMay(flow, callback.roles, deps.database);
  if (callback.error !== undefined || callback.code === undefined) {
    // The address holds untrusted text, so the vendor's error is not shown.
    throw new AppError("code_invalid", "Access was denied. Start again to grant it.");
  }
  const form = {
    grant_type: "authorization_code",
    code: callback.code,
    redirect_uri: at.redirectUri,
    code_verifier: verifier,
  };
  const tokens = await requestTokens(at, form, dispatchers.of(flow.orgId)).catch((error: unknown) => {
    if (!(error instanceof DeadGrant)) throw error;
    throw new AppError("code_invalid", `The vendor rejected the sign-in (${error.code}). Start again.`, {
      cause: error,
    });
  });
  // The vendor may have taken its time.
  await assertStillMay(flow, callback.roles, deps.database);
  return { flow, at, tokens: { ...tokens, scope: tokens.scope ?? at.scope } };
}

async function flowOf(
  { kind, state, cookie }: Pick<Callback, "kind" | "state" | "cookie">,
  deps: ConsentDeps,
): Promise<Flow> {
  assertSigned(kind, state, deps);
  const browserSecret = cookie(cookieOf(state));
  if (browserSecret === undefined) throw notOurs();
  const stateHash = sha256Hex(state);
  const at = new Date(deps.clock.wallMs());
  const sealed = await takeFlow(deps.database, { stateHash, browserHash: sha256Hex(browserSecret), at });
  if (sealed === undefined) throw notOurs();
  return flowIn(sealed, stateHash, deps);
}

function assertSigned(kind: string, state: string, { signer }: ConsentDeps): void {
  const [nonce = "", signature = ""] = state.split(".");
  if (!signer.verify(`${kind}:${nonce}`, signature)) throw notOurs();
}

function flowIn(sealed: string, stateHash: string, { secrets }: ConsentDeps): Flow {
  return JSON.parse(secrets.open(sealed, SEAL_CONTEXT.oauthFlow(stateHash))) as Flow;
}

/** RFC 9207: one server's code must not be redeemed at another. */
function assertIssuer({ issuer, namesIssuer }: ConsentAt, iss: string | undefined): void {
  const isMissing = iss === undefined && namesIssuer;
  if (isMissing || (iss !== undefined && issuer !== null && iss !== issuer)) {
    throw new AppError(
      "code_invalid",
      "The response came from a different server than expected. Start again.",
    );
  }
}

function notOurs(): AppError {
  return new AppError(
    "code_invalid",
    "This sign-in was started in another browser, has expired or was already used. Start again.",
  );
}
