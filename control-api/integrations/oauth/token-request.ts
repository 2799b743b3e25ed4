import { AppError } from "@parley/shared/errors.ts";
import type { Dispatcher } from "@parley/shared/net/dispatchers.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { z } from "zod";

const TIMEOUT_MS = 10_000;
const MAX_REPLY_BYTES = 262_144;
const OK = 200;
const SERVER_ERROR = 500;
const TOO_MANY = 429;
/** Caps the lifetime a vendor names, which may exceed any calendar. */
const MAX_EXPIRES_SECS = 10 * 365 * 86_400;

/** Parley's client at an authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string | null;
  /** Where requests carry the secret. */
  readonly secretIn: "basic" | "body";
}

/** A token endpoint, and what each request to it must include. */
export interface TokenEndpoint {
  readonly client: OAuthClient;
  readonly tokenUrl: string;
  readonly revokeUrl: string | null;
  /** The method of a revocation authorized by the token itself; absent: the token is sent in a form. */
  readonly revokesBy?: "POST" | "DELETE" | undefined;
  /** The token's audience (RFC 8707); null: the vendor does not ask for it. */
  readonly resource: string | null;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  readonly scope: string | null;
  /** Seconds; null: the reply does not say. */
  readonly expiresInSecs: number | null;
  /** The reply without the tokens. */
  readonly reply: Readonly<Record<string, unknown>>;
}

/** The grant ended: only a new consent helps. */
export class DeadGrant extends Error {
  /** The vendor's error code. */
  readonly code: string;

  constructor(code: string) {
    super(`The grant is not taken any more (${code}).`);
    this.code = code;
  }
}

/** Permanent error codes, of the grant or of its client. */
const DEAD: ReadonlySet<string> = new Set([
  ...["invalid_grant", "invalid_client", "unauthorized_client", "unsupported_grant_type"],
  // Sent with status 200 by one vendor.
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
 * Requests tokens. Throws `DeadGrant`, and `AppError` vendor_failed (a retry may help), vendor_rejected (an invalid
 * reply), or the error of a refused address.
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
    throw new AppError("vendor_failed", "The vendor's sign-in is not responding. Try again shortly.", {
      cause: error,
    });
  });
  return tokensOf(status, body.toString("utf8"));
}

/** Adds the client to the form, or returns the header that carries it. */
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
    // A lifetime of 0 means unknown: no token expires at once.
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
