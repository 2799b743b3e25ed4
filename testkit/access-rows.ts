const KEYS = ["owner key", "admin key", "developer key", "member key", "viewer key"] as const;
export const USERS = ["owner", "admin", "developer", "member", "viewer"] as const;
export const CALLERS = [
  "nobody",
  "unknown key",
  "revoked key",
  ...KEYS,
  "key of another organization",
  ...USERS,
  "user of another organization",
  "user without X-Org-Id",
  "client token",
  "user who signed out",
] as const;
export type Caller = (typeof CALLERS)[number];

/** The status of a refusal, or "in": past the access rule, whatever the route then answers. */
type Verdict = 400 | 401 | 403 | "in";
export type Row = Readonly<Record<Caller, Verdict>>;

function row(verdicts: { [K in Caller]?: Verdict }, others: Verdict): Row {
  return Object.fromEntries(CALLERS.map((caller) => [caller, verdicts[caller] ?? others])) as Row;
}
const each = (callers: readonly Caller[], verdict: Verdict) =>
  Object.fromEntries(callers.map((caller) => [caller, verdict]));

/* Written out instead of computed: which credential works where. The route matrix consists of these rows. */

export const PUBLIC = row({}, "in");
/** `/api/v1`: keys only. */
export const V1_READ = row({ ...each(KEYS, "in"), "key of another organization": "in" }, 401);
/**
 * `/api/agents`, `/api/sessions`, `/api/client-tokens`: keys and people; members, viewers and their keys only
 * read (docs/accounts.md#who-may-do-what).
 */
export const ORG_READ = row(
  {
    ...each([...KEYS, ...USERS, "key of another organization"], "in"),
    "user of another organization": 403,
    "user without X-Org-Id": 400,
  },
  401,
);
export const ORG_WRITE: Row = { ...ORG_READ, "member key": 403, "viewer key": 403, member: 403, viewer: 403 };
export const ORG_MANAGE: Row = { ...ORG_WRITE, "developer key": 403, developer: 403 };
/** Only app keys, which have their own scheme (`control-api/apps/backend`). */
export const APP_BACKEND = row({}, 401);
/** Opening a stream is a POST: read-only keys may not; people with any role may. */
export const STREAM_OPENERS: Row = { ...ORG_READ, "member key": 403, "viewer key": 403 };
/** Any valid key may place a call. */
export const CALL_PLACERS: Row = { ...ORG_WRITE, "member key": "in", "viewer key": "in" };
/** Only a client token: its possible cost was fixed when it was created. */
export const VISITOR_CHAT = row({ "client token": "in" }, 401);
/** A client token may start its one call. */
export const WEB_CALL: Row = { ...ORG_WRITE, "client token": "in" };
/** `/api/auth`: JWT where the route lists it, in any organization. */
export const OWN_ACCOUNT = row(
  { ...each([...USERS, "user of another organization", "user without X-Org-Id"], "in") },
  401,
);
/** `/api/operator`: none of these callers is an operator (see control-api/billing/operator). */
export const OPERATORS = row(
  { ...each([...USERS, "user of another organization", "user without X-Org-Id"], 403) },
  401,
);
/** `/api/orgs/{orgId}` and its api-keys: never a key; membership by path and header. */
export const IN_ORG = row(
  { ...each(USERS, "in"), "user of another organization": 403, "user without X-Org-Id": 400 },
  401,
);
const IN_ORG_FOR = (...roles: Caller[]): Row => ({
  ...IN_ORG,
  ...each(
    USERS.filter((user) => !roles.includes(user)),
    403,
  ),
});
export const MANAGERS = IN_ORG_FOR("owner", "admin");
/** `/api/v1`: read-only keys may not write. */
export const V1_WRITE: Row = { ...V1_READ, "member key": 403, "viewer key": 403 };
/** `/api/orgs/{orgId}/webhooks`: keys and people; a key of another organization gets 403. */
export const IN_ORG_BOTH: Row = { ...IN_ORG, ...each(KEYS, "in"), "key of another organization": 403 };
export const WEBHOOK_MAKERS: Row = {
  ...IN_ORG_BOTH,
  "member key": 403,
  "viewer key": 403,
  member: 403,
  viewer: 403,
};
/** Only owners and admins delete an endpoint on the management API. */
export const WEBHOOK_DELETERS: Row = { ...WEBHOOK_MAKERS, "developer key": 403, developer: 403 };
/** Owners, admins and developers create keys; owners and admins revoke them. */
export const KEY_MAKERS = IN_ORG_FOR("owner", "admin", "developer");
