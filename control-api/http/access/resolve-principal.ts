import { AppError } from "@parley/shared/errors.ts";
import { sha256Hex } from "@parley/shared/security/secrets.ts";
import type { KeyResolver } from "./key-resolver.ts";
import type { Operators } from "./operators.ts";
import type { MemberPrincipal, Principal, UserPrincipal } from "./principal.ts";
import { assertRole, type CredentialRule } from "./rules.ts";
import type { SessionResolver } from "./session-resolver.ts";

/** Prefix of client tokens; access tokens are JWTs and begin differently. */
export const CLIENT_TOKEN_PREFIX = "parley_ct_";
/** Prefix of keys of apps' backends. */
export const APP_KEY_PREFIX = "parley_app_";

/** The credentials that a request presents. */
export interface Presented {
  readonly apiKey: string | undefined;
  readonly authorization: string | undefined;
  readonly orgIdHeader: string | undefined;
  readonly orgIdInPath: string | undefined;
  /** For a request that was answered while its access token was valid, and goes on: the sign-in counts, not the token. */
  readonly isUnderWay?: boolean;
}

export interface Resolvers {
  readonly keys: KeyResolver;
  readonly sessions: SessionResolver;
  readonly operators: Pick<Operators, "has">;
}

/**
 * Resolves a request's principal and checks it against the route's rule. Throws `AppError` unauthorized, token_expired
 * or token_invalid (401), forbidden (403), bad_request if `X-Org-Id` is missing or two credentials are sent.
 */
export async function resolvePrincipal(
  rule: CredentialRule,
  presented: Presented,
  resolvers: Resolvers,
): Promise<Principal> {
  const apiKey = rule.key ? presented.apiKey : undefined;
  const bearer = rule.user || rule.client || rule.app ? bearerOf(presented.authorization) : undefined;
  if (apiKey !== undefined && bearer !== undefined) {
    throw new AppError("bad_request", "Send one credential: X-API-Key or Authorization, not both.");
  }
  if (apiKey !== undefined) return resolveKey(rule, apiKey, presented, resolvers);
  if (bearer === undefined) throw new AppError("unauthorized", `Send ${accepted(rule)}.`);
  if (rule.client && bearer.startsWith(CLIENT_TOKEN_PREFIX)) {
    return { kind: "client", tokenHash: sha256Hex(bearer) };
  }
  if (rule.app && bearer.startsWith(APP_KEY_PREFIX)) return { kind: "app", secretHash: sha256Hex(bearer) };
  if (!rule.user)
    throw new AppError("token_invalid", `This credential is not accepted here. Send ${accepted(rule)}.`);
  return resolveUser(rule, bearer, presented, resolvers);
}

async function resolveKey(
  rule: CredentialRule,
  apiKey: string,
  { orgIdInPath }: Presented,
  { keys }: Resolvers,
): Promise<Principal> {
  const principal = await keys.resolve(apiKey);
  if (rule.org === "path" && orgIdInPath !== principal.orgId) {
    throw new AppError("forbidden", "This API key belongs to another organization than the one in the path.");
  }
  assertRole("key", principal.role, rule.key ?? []);
  return principal;
}

async function resolveUser(
  rule: CredentialRule,
  bearer: string,
  { orgIdHeader, orgIdInPath, isUnderWay }: Presented,
  { sessions, operators }: Resolvers,
): Promise<UserPrincipal | MemberPrincipal> {
  const { userId, sessionId, roles } = await sessions.resolve(bearer, isUnderWay ? "accepted" : "refused");
  if (rule.operator && !(await operators.has(userId)))
    throw new AppError(
      "forbidden",
      "Only operators of this server can do this. Its setting OPERATORS lists them.",
    );
  if (rule.org === "none") return { kind: "user", userId, sessionId };
  if (orgIdHeader === undefined || orgIdHeader === "") {
    throw new AppError("bad_request", "Set the X-Org-Id header to the organization's id.");
  }
  // Both are checked: membership in one organization opens no path of another.
  if (!roles.has(orgIdHeader)) throw notAMember("X-Org-Id");
  const orgId = rule.org === "path" ? (orgIdInPath ?? "") : orgIdHeader;
  const role = roles.get(orgId);
  if (role === undefined) throw notAMember("the path");
  assertRole("member", role, rule.user ?? []);
  return { kind: "member", userId, sessionId, orgId, role };
}

function notAMember(where: string): AppError {
  return new AppError("forbidden", `You are not a member of the organization in ${where}.`);
}

function accepted({ key, user, client, app }: CredentialRule): string {
  const ways = [
    ...(key ? ["an API key in the X-API-Key header"] : []),
    ...(user ? ["an access token as Authorization: Bearer"] : []),
    ...(app ? ["an app's key as Authorization: Bearer"] : []),
    ...(client ? ["a client token as Authorization: Bearer"] : []),
  ];
  return ways.join(", or ");
}

function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, token] = /^Bearer +([^\s]+)$/i.exec(header) ?? [];
  if (token === undefined) {
    throw new AppError("token_invalid", "The Authorization header must have the form: Bearer <token>.");
  }
  return token;
}
