import { ROLES, type Role, rolesWith } from "@parley/shared/contracts/roles.ts";
import { AppError } from "@parley/shared/errors.ts";

/**
 * Who may call a route. Every route declares exactly one rule; a route without one does not start. Kinds of credentials
 * that a rule does not name are ignored, as if not sent.
 */
export type AccessRule =
  | { readonly allow: "public" }
  | {
      readonly allow: "credential";
      /** Roles of the API keys allowed. */
      readonly key?: readonly Role[];
      /** Roles of the members allowed; with `org: "none"`, every signed-in user. */
      readonly user?: readonly Role[];
      /** Client tokens are allowed. */
      readonly client?: true;
      /** Keys of an app's own backend are allowed; the apps district decides what they may do. */
      readonly app?: true;
      /** Among users, only operators of the server. */
      readonly operator?: true;
      /** The organization a user acts in: none, that of `X-Org-Id`, or that of the path, with `X-Org-Id` as well. */
      readonly org: "none" | "header" | "path";
    };
export type CredentialRule = Exclude<AccessRule, { allow: "public" }>;

/** Members and viewers, and their keys, are read-only. */
export const WRITERS: readonly Role[] = ["owner", "admin", "developer"];
const MANAGERS: readonly Role[] = ["owner", "admin"];

export const PUBLIC: AccessRule = { allow: "public" };
/** `/api/auth`: signed-in users, about their own account. */
export const SIGNED_IN: AccessRule = { allow: "credential", user: ROLES, org: "none" };

/** `/api/operator`: operators of the server, whatever their role in any organization. */
export const OPERATES: AccessRule = { allow: "credential", user: ROLES, operator: true, org: "none" };

/** `/api/v1`: keys only; JWTs are never accepted. */
export const KEY_READS: AccessRule = { allow: "credential", key: ROLES, org: "none" };
export const KEY_WRITES: AccessRule = { allow: "credential", key: WRITERS, org: "none" };
/** Any valid key may chat. */
export const CHAT_TURNS: AccessRule = { allow: "credential", key: ROLES, org: "none" };

/** `/api/agents`, `/api/sessions`, `/api/client-tokens`: keys and users. */
export const READS: AccessRule = { allow: "credential", key: ROLES, user: rolesWith("view"), org: "header" };
export const WRITES: AccessRule = { allow: "credential", key: WRITERS, user: WRITERS, org: "header" };
/** A POST, so not for read-only keys. People with any role may watch a live call. */
export const STREAM_OPENS: AccessRule = {
  allow: "credential",
  key: WRITERS,
  user: rolesWith("view"),
  org: "header",
};
/** Opens an agent to strangers, at the organization's expense. */
export const PUBLIC_AGENTS_MANAGE: AccessRule = {
  allow: "credential",
  key: MANAGERS,
  user: MANAGERS,
  org: "header",
};
/** Rehearsals of an agent: people only. */
export const REHEARSES: AccessRule = { allow: "credential", user: WRITERS, org: "header" };
export const READS_REHEARSALS: AccessRule = { allow: "credential", user: rolesWith("view"), org: "header" };
/** Incoming calls ring only for members who may answer. */
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

/** Visitors' chats: whoever minted the token fixed what they may spend. */
export const VISITOR_CHATS: AccessRule = { allow: "credential", client: true, org: "none" };

/** `/api/orgs/{orgId}` itself, its members, keys and audit: users only, since keys cannot make keys. */
const inOrg = (user: readonly Role[]): AccessRule => ({ allow: "credential", user, org: "path" });
export const ORG_READS = inOrg(rolesWith("view"));
export const ORG_RENAMES = inOrg(rolesWith("manage_workplace"));
export const MEMBER_MANAGES = inOrg(rolesWith("manage_members"));
/** Members may leave whatever their role. */
export const ORG_LEAVES = inOrg(ROLES);
export const KEYS_LIST = inOrg(rolesWith("view"));
/** Listing keys needs a lower role than creating or revoking them. */
export const KEYS_CREATE = inOrg(WRITERS);
export const KEYS_REVOKE = inOrg(MANAGERS);
export const AUDIT_READS = inOrg(MANAGERS);
/** `/api/orgs/{orgId}/templates`: users only; using one creates an agent. */
export const TEMPLATES_USE = inOrg(WRITERS);
/** Carriers: users only, since their credentials spend money. */
export const CARRIERS_MANAGE = inOrg(rolesWith("manage_workplace"));
/** Remote tool servers: any member may view, sign in to and disconnect one. */
export const MCP_USES = inOrg(ROLES);
/** `/api/orgs/{orgId}/integrations`: users only; keys have `/api/v1/integrations`. */
export const INTEGRATIONS_READ = inOrg(rolesWith("view"));
export const INTEGRATIONS_WRITE = inOrg(WRITERS);
/** Runs an agent's tool for real, in the organization's own systems. */
export const TOOLS_TRY = inOrg(WRITERS);
/** `/api/orgs/{orgId}/apps`: viewing, publishing and installing apps. */
export const APPS_READ = inOrg(rolesWith("view"));
export const APPS_PUBLISH = inOrg(rolesWith("manage_publish"));
export const APPS_INSTALL = inOrg(rolesWith("manage_workplace"));
/** What the organization pays and may spend. */
export const BILLING_MANAGES = inOrg(rolesWith("manage_billing"));
/** What agents remember about people. */
export const MEMORY_WRITES = inOrg(WRITERS);
export const PII_MANAGES = inOrg(MANAGERS);
/** A shorter retention deletes data for good. */
export const RETENTION_CHANGES = inOrg(MANAGERS);

/** `/api/orgs/{orgId}/webhooks`: keys and users; only owners and admins delete (docs/accounts.md#who-may-do-what). */
const keysAndUsers = (roles: readonly Role[]): AccessRule => ({
  allow: "credential",
  key: roles,
  user: roles,
  org: "path",
});
/** Builds upload versions, too. */
export const APPS_UPLOAD = keysAndUsers(rolesWith("manage_publish"));
export const WEBHOOKS_READ = keysAndUsers(ROLES);
export const WEBHOOKS_CREATE = keysAndUsers(WRITERS);
export const WEBHOOKS_DELETE = keysAndUsers(MANAGERS);
/** Simulated phones place calls that may use paid models. */
export const LOOPBACK_CALLS = keysAndUsers(WRITERS);
/** `/api/orgs/{orgId}` calls and recordings: keys and users; deleting counts as an ordinary write. */
export const CONTENT_READS = keysAndUsers(ROLES);
export const CONTENT_WRITES = keysAndUsers(WRITERS);

/** `/api/orgs/{orgId}/ambient-tracks`: keys and users. */
export const TRACKS_READ = keysAndUsers(ROLES);
export const TRACKS_WRITE = keysAndUsers(WRITERS);

/** `/api/orgs/{orgId}/knowledge-bases`: keys and users. */
export const KNOWLEDGE_READ = keysAndUsers(ROLES);
export const KNOWLEDGE_WRITE = keysAndUsers(WRITERS);

/** Messaging channels: connecting a sender is for users; everything else for keys and users. */
export const CHANNELS_CONNECT = inOrg(WRITERS);
export const CHANNELS_READ = keysAndUsers(ROLES);
export const CHANNELS_WRITE = keysAndUsers(WRITERS);

/** Instagram accounts are for users; their conversations follow the rules of any channel. */
export const INSTAGRAM_READ = inOrg(ROLES);
export const INSTAGRAM_WRITE = inOrg(WRITERS);

/** Campaigns and the do-not-call list are for users; WhatsApp template campaigns for keys, too. */
export const CAMPAIGNS_READ = inOrg(rolesWith("view"));
export const CAMPAIGNS_WRITE = inOrg(WRITERS);

/** Throws `AppError` forbidden if the role is not allowed; the message names the rule. */
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
