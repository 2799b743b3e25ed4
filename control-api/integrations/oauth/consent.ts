import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Dispatchers } from "@parley/shared/net/dispatchers.ts";
import type { LinkSigner } from "@parley/shared/security/link-signer.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { randomToken, sha256Hex, timingSafeEqualText } from "@parley/shared/security/secrets.ts";
import * as oidc from "openid-client";
import type { Database } from "../../database/open.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import { insertFlow, takeFlow } from "./flow-store.ts";
import { DeadGrant, requestTokens, type TokenEndpoint, type Tokens } from "./token-request.ts";

/** A link to a consent is good for so long. */
export const CONSENT_MS = 10 * 60_000;

/** Whose consent it is, and what for. */
export interface ConsentFor {
  /** Which kind of connection: a state of one is none of another. */
  readonly kind: string;
  readonly orgId: string;
  readonly connectionId: string;
  readonly userId: string;
}

/** Where somebody is sent to consent, and where the code is redeemed. */
export interface ConsentAt extends TokenEndpoint {
  readonly authorizeUrl: string;
  /** Who gives out the tokens; null: a vendor that has no name for itself. */
  readonly issuer: string | null;
  /** Whether every answer names the issuer (RFC 9207). */
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
  /** For a cookie of the browser that began it: only that one can end it. */
  readonly browserSecret: string;
}

/** Begins a consent: authorization code with PKCE, a state that is signed, and good once, for ten minutes, in one browser. */
export async function beginConsent(of: ConsentFor, at: ConsentAt, deps: ConsentDeps): Promise<BegunConsent> {
  const { database, clock, secrets, signer } = deps;
  const [nonce, browserSecret] = [randomToken(24), randomToken(24)];
  const state = `${nonce}.${signer.sign(`${of.kind}:${nonce}`)}`;
  const stateHash = sha256Hex(state);
  const verifier = oidc.randomPKCECodeVerifier();
  const flow: Flow = { ...of, at, verifier };
  await insertFlow(database, {
    stateHash,
    orgId: of.orgId,
    browserHash: sha256Hex(browserSecret),
    sealed: secrets.seal(JSON.stringify(flow), SEAL_CONTEXT.oauthFlow(stateHash)),
    expiresAt: new Date(clock.wallMs() + CONSENT_MS),
  });
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
  return { authorizeUrl: url.href, state, browserSecret };
}

/** What a browser brings back. */
export interface Callback {
  readonly kind: string;
  readonly state: string;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  readonly iss?: string | undefined;
  /** By the name of a cookie, what the browser has kept. */
  readonly cookie: (name: string) => string | undefined;
}

/** The cookie of a consent: one browser may have several at a time. */
export function cookieOf(state: string): string {
  return `parley_consent_${sha256Hex(state).slice(0, 16)}`;
}

/**
 * Ends a consent: redeems the code. Throws `AppError` code_invalid (not begun here, repeated, too old, another browser, another
 * issuer, refused by the vendor), vendor_failed, vendor_rejected.
 */
export async function finishConsent(
  callback: Callback,
  { dispatchers, ...deps }: ConsentDeps & { readonly dispatchers: Dispatchers },
): Promise<{ readonly flow: ConsentFor; readonly at: ConsentAt; readonly tokens: Tokens }> {
  const { at, verifier, ...flow } = await flowOf(callback, deps);
  assertIssuer(at, callback.iss);
  if (callback.error !== undefined || callback.code === undefined) {
    // What stands in the address is anybody's text: it is not shown.
    throw new AppError("code_invalid", "Access was not given. Begin again when you want to give it.");
  }
  const form = {
    grant_type: "authorization_code",
    code: callback.code,
    redirect_uri: at.redirectUri,
    code_verifier: verifier,
  };
  const tokens = await requestTokens(at, form, dispatchers.of(flow.orgId)).catch((error: unknown) => {
    if (!(error instanceof DeadGrant)) throw error;
    throw new AppError("code_invalid", `The vendor did not take the sign-in (${error.code}). Begin again.`, {
      cause: error,
    });
  });
  return { flow, at, tokens: { ...tokens, scope: tokens.scope ?? at.scope } };
}

async function flowOf({ kind, state, cookie }: Callback, deps: ConsentDeps): Promise<Flow> {
  const { database, clock, secrets, signer } = deps;
  const [nonce = "", signature = ""] = state.split(".");
  if (!signer.verify(`${kind}:${nonce}`, signature)) throw notOurs();
  const browserSecret = cookie(cookieOf(state));
  // A stranger who learned of the state must not use it up.
  if (browserSecret === undefined) throw notOurs();
  const stateHash = sha256Hex(state);
  const taken = await takeFlow(database, { stateHash, at: new Date(clock.wallMs()) });
  if (!taken || !timingSafeEqualText(taken.browserHash ?? "", sha256Hex(browserSecret))) throw notOurs();
  return JSON.parse(secrets.open(taken.sealed, SEAL_CONTEXT.oauthFlow(stateHash))) as Flow;
}

/** RFC 9207: a code of one server must not be redeemed at another. */
function assertIssuer({ issuer, namesIssuer }: ConsentAt, iss: string | undefined): void {
  const isMissing = iss === undefined && namesIssuer;
  if (isMissing || (iss !== undefined && issuer !== null && iss !== issuer)) {
    throw new AppError("code_invalid", "The answer comes from somebody else than was asked. Begin again.");
  }
}

function notOurs(): AppError {
  return new AppError(
    "code_invalid",
    "This sign-in was not begun in this browser, is too old, or was used before. Begin again.",
  );
}
