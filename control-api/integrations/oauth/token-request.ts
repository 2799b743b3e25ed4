import { AppError } from "@parley/shared/errors.ts";
import type { Dispatcher } from "@parley/shared/net/dispatchers.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 262_144;
const OK = 200;
const SERVER_ERROR = 500;
const TOO_MANY = 429;
/** How long a token holds when a vendor names a time that no calendar has. */
const MAX_EXPIRES_SECS = 10 * 365 * 86_400;

/** How we are known to who gives out tokens. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string | null;
  /** Where the secret stands in a request. */
  readonly secretIn: "basic" | "body";
}

/** Where tokens come from, and what has to be said with each request for one. */
export interface TokenEndpoint {
  readonly client: OAuthClient;
  readonly tokenUrl: string;
  readonly revokeUrl: string | null;
  /** The method of a revocation that the token itself authorizes; absent: it stands in a form. */
  readonly revokesBy?: "POST" | "DELETE" | undefined;
  /** What the token is for (RFC 8707); null: the vendor does not want to know. */
  readonly resource: string | null;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  readonly scope: string | null;
  /** Seconds; null: the reply does not say. */
  readonly expiresInSecs: number | null;
  /** All of the reply but the tokens. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** The access is over: nothing but another consent helps. */
export class DeadGrant extends Error {
  /** The error code of the vendor. */
  readonly code: string;

  constructor(code: string) {
    super(`The grant is not taken any more (${code}).`);
    this.code = code;
  }
}

/** Codes that come with every later request as well: of the grant, or of the client it was given to. */
const DEAD: ReadonlySet<string> = new Set([
  ...["invalid_grant", "invalid_client", "unauthorized_client", "unsupported_grant_type"],
  // Said inside of status 200 by one vendor.
  ...["invalid_refresh_token", "token_revoked", "token_expired", "invalid_auth", "account_inactive"],
]);

const replySchema = z.looseObject({
  access_token: z.string().min(1).max(32_768),
  refresh_token: z.string().min(1).max(32_768).nullish(),
  scope: z.string().max(8_192).nullish(),
  expires_in: z.coerce.number().nonnegative().nullish().catch(null),
});
const refusalSchema = z.looseObject({ error: z.string() });

/**
 * Asks for tokens. Throws `DeadGrant`, and `AppError` vendor_failed (a second try may help), vendor_rejected (the reply is none)
 * or what the address is refused with.
 */
export async function requestTokens(
  { client, tokenUrl, resource }: TokenEndpoint,
  grant: Readonly<Record<string, string>>,
  dispatcher: Dispatcher,
): Promise<Tokens> {
  const form = new URLSearchParams(grant);
  if (resource !== null) form.set("resource", resource);
  const headers = credentialsOf(client, form);
  const { status, body } = await guardedRequest(dispatcher, tokenUrl, {
    method: "POST",
    headers: {
      ...headers,
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
    },
    body: form.toString(),
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_REPLY_BYTES,
  }).catch((error: unknown) => {
    if (error instanceof AppError && !error.retryable) throw error;
    throw new AppError("vendor_failed", "The vendor's sign-in does not answer; try again shortly.", {
      cause: error,
    });
  });
  return tokensOf(status, body.toString("utf8"));
}

/** Puts the client into the form, or gives the header it stands in. */
export function credentialsOf(client: OAuthClient, form: URLSearchParams): Record<string, string> {
  const { id, secret, secretIn } = client;
  if (secret !== null && secretIn === "basic") {
    const pair = [id, secret].map((part) => new URLSearchParams({ "": part }).toString().slice(1)).join(":");
    return { authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
  }
  form.set("client_id", id);
  if (secret !== null) form.set("client_secret", secret);
  return {};
}

function tokensOf(status: number, text: string): Tokens {
  const reply = asJson(text);
  const refusal = refusalSchema.safeParse(reply);
  if (refusal.success) {
    const code = refusal.data.error.slice(0, 64);
    if (DEAD.has(code)) throw new DeadGrant(code);
  }
  if (status >= SERVER_ERROR || status === TOO_MANY) {
    throw new AppError("vendor_failed", `The vendor's sign-in answered ${status}; try again shortly.`);
  }
  const parsed = replySchema.safeParse(reply);
  if (status !== OK || refusal.success || !parsed.success) {
    throw new AppError("vendor_rejected", `The vendor's sign-in answered ${status} and gave no token.`);
  }
  const { access_token, refresh_token, scope, expires_in, id_token: _, ...rest } = parsed.data;
  return {
    access: access_token,
    refresh: refresh_token ?? null,
    scope: scope ?? null,
    // No token is over at once: who says so does not say how long it holds.
    expiresInSecs: expires_in ? Math.min(expires_in, MAX_EXPIRES_SECS) : null,
    reply: rest,
  };
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
