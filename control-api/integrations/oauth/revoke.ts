import { AppError } from "@parley/shared/errors.ts";
import type { Dispatcher } from "@parley/shared/net/dispatchers.ts";
import { guardedRequest } from "@parley/shared/net/guarded-request.ts";
import { credentialsOf, requestTokens, type TokenEndpoint, type Tokens } from "./token-request.ts";

const TIMEOUT_MS = 5_000;
const MAX_REPLY_BYTES = 65_536;

/** Revokes a grant at its vendor. Rejects when the vendor did not accept. */
export async function revoke(
  endpoint: TokenEndpoint,
  { access, refresh }: Pick<Tokens, "access" | "refresh">,
  dispatcher: Dispatcher,
): Promise<void> {
  const { revokeUrl, revokesBy } = endpoint;
  if (revokeUrl === null) return;
  if (revokesBy === undefined)
    return revokeNamed({ ...endpoint, revokeUrl }, { access, refresh }, dispatcher);
  const revokeOwn = (token: string) =>
    send(dispatcher, revokeUrl, { method: revokesBy, headers: { authorization: `Bearer ${token}` } });
  try {
    await revokeOwn(access);
  } catch (error) {
    if (refresh === null) throw error;
    // An expired token cannot revoke, so it is renewed first.
    const form = { grant_type: "refresh_token", refresh_token: refresh };
    await revokeOwn((await requestTokens(endpoint, form, dispatcher)).access);
  }
}

/** RFC 7009: revoking the refresh token ends all tokens issued from it. */
async function revokeNamed(
  { client, revokeUrl }: TokenEndpoint & { readonly revokeUrl: string },
  { access, refresh }: Pick<Tokens, "access" | "refresh">,
  dispatcher: Dispatcher,
): Promise<void> {
  const form = new URLSearchParams({
    token: refresh ?? access,
    token_type_hint: refresh === null ? "access_token" : "refresh_token",
  });
  const headers = credentialsOf(client, form);
  await send(dispatcher, revokeUrl, {
    method: "POST",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded;charset=UTF-8" },
    body: form.toString(),
  });
}

async function send(
  dispatcher: Dispatcher,
  url: string,
  request: { method: "POST" | "DELETE"; headers: Record<string, string>; body?: string },
): Promise<void> {
  const { status, body } = await guardedRequest(dispatcher, url, {
    ...request,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_REPLY_BYTES,
  });
  // One vendor reports errors with status 200.
  if ((status === 200 || status === 204) && !body.includes('"ok":false')) return;
  throw new AppError("vendor_failed", `The vendor answered ${status}.`);
}
