import { ROLES, type Role, rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";

/**
 * Who may call a route. Every route declares exactly one; a route without a rule does not start. A kind of
 * credential that a rule does not name is not looked at, as if it had not been sent.
 */
export type AccessRule =
  | { readonly allow: "public" }
  | {
      readonly allow: "credential";
      /** Roles of the API keys that get in. */
      readonly key?: readonly Role[];
      /** Roles of the members that get in; with `org: "none"` every signed-in user does. */
      readonly user?: readonly Role[];
      /** Client tokens get in. */
      readonly client?: true;
      /** Keys of an app's own backend get in; what they may do is the apps district's to say. */
      readonly app?: true;
      /** Which organization a user acts in: none, that of `X-Org-Id`, or that of the path, `X-Org-Id` besides. */
      readonly org: "none" | "header" | "path";
    };
export type CredentialRule = Exclude<AccessRule, { allow: "public" }>;

/** Members and viewers, and their keys, are read-only. */
export const WRITERS: readonly Role[] = ["owner", "admin", "developer"];
const MANAGERS: readonly Role[] = ["owner", "admin"];

export const PUBLIC: AccessRule = { allow: "public" };
/** `/api/auth`: whoever is signed in, about their own account. */
export const SIGNED_IN: AccessRule = { allow: "credential", user: ROLES, org: "none" };

/** `/api/v1`: keys only; JWTs are never accepted. */
export const KEY_READS: AccessRule = { allow: "credential", key: ROLES, org: "none" };
export const KEY_WRITES: AccessRule = { allow: "credential", key: WRITERS, org: "none" };
/** Any valid key may chat. */
export const CHAT_TURNS: AccessRule = { allow: "credential", key: ROLES, org: "none" };

/** `/api/agents`, `/api/sessions`, `/api/client-tokens`: keys and users. */
export const READS: AccessRule = { allow: "credential", key: ROLES, user: rolesWith("view"), org: "header" };
export const WRITES: AccessRule = { allow: "credential", key: WRITERS, user: WRITERS, org: "header" };
/** A POST: read-only keys may not. People with any role may watch a live call. */
export const STREAM_OPENS: AccessRule = {
  allow: "credential",
  key: WRITERS,
  user: rolesWith("view"),
  org: "header",
};
/** What strangers may do with an agent: it costs the organization money. */
export const PUBLIC_AGENTS_MANAGE: AccessRule = {
  allow: "credential",
  key: MANAGERS,
  user: MANAGERS,
  org: "header",
};
/** Rehearsals of an agent: people only. */
export const REHEARSES: AccessRule = { allow: "credential", user: WRITERS, org: "header" };
export const READS_REHEARSALS: AccessRule = { allow: "credential", user: rolesWith("view"), org: "header" };
/** What rings for a member: who may not answer need not hear it. */
export const HEARS_CALLS: AccessRule = { allow: "credential", user: WRITERS, org: "header" };
/** Reads of `/api/sessions/{id}` are for people, not for keys. */
export const SESSION_READS: AccessRule = { allow: "credential", user: rolesWith("view"), org: "header" };
/** Any valid key may place a call (docs/accounts.md#who-may-do-what). */
export const PLACES_CALLS: AccessRule = { allow: "credential", key: ROLES, user: WRITERS, org: "header" };
export const WEB_CALLS: AccessRule = {
  allow: "credential",
  key: WRITERS,
  user: WRITERS,
  client: true,
  org: "header",
};

/** `/api/app-…`: an app's own backend, by the scopes that its install agreed to. */
export const APP_BACKENDS: AccessRule = { allow: "credential", app: true, org: "none" };

/** Chats of visitors: what they may spend was fixed by whoever minted their token. */
export const VISITOR_CHATS: AccessRule = { allow: "credential", client: true, org: "none" };

/** `/api/orgs/{orgId}` itself, its members, keys and audit: users only, for a key cannot make keys. */
const inOrg = (user: readonly Role[]): AccessRule => ({ allow: "credential", user, org: "path" });
export const ORG_READS = inOrg(rolesWith("view"));
export const ORG_RENAMES = inOrg(rolesWith("manage_workplace"));
export const MEMBER_MANAGES = inOrg(rolesWith("manage_members"));
/** Whoever is a member may leave, whatever their role. */
export const ORG_LEAVES = inOrg(ROLES);
export const KEYS_LIST = inOrg(rolesWith("view"));
/** Who may list keys is not who may create or revoke them. */
export const KEYS_CREATE = inOrg(WRITERS);
export const KEYS_REVOKE = inOrg(MANAGERS);
export const AUDIT_READS = inOrg(MANAGERS);
/** `/api/orgs/{orgId}/templates`: people; each makes agents. */
export const TEMPLATES_USE = inOrg(WRITERS);
/** Carriers are for people: they hold what spends money. */
export const CARRIERS_MANAGE = inOrg(rolesWith("manage_workplace"));
/** Remote tool servers: any member may look at one, sign in to it, and disconnect it. */
export const MCP_USES = inOrg(ROLES);
/** `/api/orgs/{orgId}/integrations`: people; keys have `/api/v1/integrations`. */
export const INTEGRATIONS_READ = inOrg(rolesWith("view"));
export const INTEGRATIONS_WRITE = inOrg(WRITERS);
/** Runs an agent's tool for real, in the organization's own systems. */
export const TOOLS_TRY = inOrg(WRITERS);
/** `/api/orgs/{orgId}/apps`: what may be seen, published, and let in. */
export const APPS_READ = inOrg(rolesWith("view"));
export const APPS_PUBLISH = inOrg(rolesWith("manage_publish"));
export const APPS_INSTALL = inOrg(rolesWith("manage_workplace"));
/** What the organization pays, and may spend. */
export const BILLING_MANAGES = inOrg(rolesWith("manage_billing"));
/** What agents remember of people. */
export const MEMORY_WRITES = inOrg(WRITERS);
export const PII_MANAGES = inOrg(MANAGERS);
/** Shortening it deletes what nobody gets back. */
export const RETENTION_CHANGES = inOrg(MANAGERS);

/** `/api/orgs/{orgId}/webhooks`: keys and users; deleting is for owners and admins (docs/accounts.md#who-may-do-what). */
const keysAndUsers = (roles: readonly Role[]): AccessRule => ({
  allow: "credential",
  key: roles,
  user: roles,
  org: "path",
});
/** Uploading a version is what a build does, too. */
export const APPS_UPLOAD = keysAndUsers(rolesWith("manage_publish"));
export const WEBHOOKS_READ = keysAndUsers(ROLES);
export const WEBHOOKS_CREATE = keysAndUsers(WRITERS);
export const WEBHOOKS_DELETE = keysAndUsers(MANAGERS);
/** Simulated phones make calls that may cost a model's time. */
export const LOOPBACK_CALLS = keysAndUsers(WRITERS);
/** `/api/orgs/{orgId}` calls and recordings: keys and users, for whom deleting is a write like others. */
export const CONTENT_READS = keysAndUsers(ROLES);
export const CONTENT_WRITES = keysAndUsers(WRITERS);

/** `/api/orgs/{orgId}/ambient-tracks`: keys and users. */
export const TRACKS_READ = keysAndUsers(ROLES);
export const TRACKS_WRITE = keysAndUsers(WRITERS);

/** `/api/orgs/{orgId}/knowledge-bases`: keys and users. */
export const KNOWLEDGE_READ = keysAndUsers(ROLES);
export const KNOWLEDGE_WRITE = keysAndUsers(WRITERS);

/** Channels over which people write: connecting a sender is for people; all else for keys and users. */
export const CHANNELS_CONNECT = inOrg(WRITERS);
export const CHANNELS_READ = keysAndUsers(ROLES);
export const CHANNELS_WRITE = keysAndUsers(WRITERS);

/** Campaigns and the do-not-call list are for people; campaigns of templates over WhatsApp for keys, too. */
export const CAMPAIGNS_READ = inOrg(rolesWith("view"));
export const CAMPAIGNS_WRITE = inOrg(WRITERS);

/** Throws `AppError` forbidden when a role is not among those that get in; the message names the rule. */
export function assertRole(kind: "key" | "member", role: Role, allowed: readonly Role[]): void {
  if (allowed.includes(role)) return;
  const who = kind === "key" ? `A key with role ${role}` : `A member with role ${role}`;
  const needed =
    allowed.length === ROLES.length - 2 ? `${who} may only read here; it` : `${who} may not do this; it`;
  throw new AppError("forbidden", `${needed} needs role ${oneOf(allowed)}.`);
}

function oneOf(roles: readonly Role[]): string {
  const last = roles.at(-1) ?? "";
  return roles.length < 2 ? last : `${roles.slice(0, -1).join(", ")} or ${last}`;
}
