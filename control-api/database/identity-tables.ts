import type { Role } from "@parley/shared/contracts/roles.ts";
import type { ColumnType, JSONColumnType } from "kysely";

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface OrganizationsTable {
  id: string;
  name: string;
  /** Forbids deleting any of its data. */
  legal_hold: WithDefault<boolean>;
  /** `piiPolicySchema`; null for the platform's default. */
  pii_policy: JSONColumnType<object> | null;
  /** Retention of recordings and transcripts; 0 forever, null for RECORDING_RETENTION_DAYS. */
  recording_retention_days: number | null;
  created_at: Timestamp;
}

/** An account; `email` and `mobile` are normalized, and at least one is set. */
export interface UsersTable {
  id: string;
  email: string | null;
  mobile: string | null;
  name: WithDefault<string>;
  /** Argon2id in PHC form; null if the account signs in only by code or identity provider. */
  password_hash: string | null;
  status: "active" | "deactivated";
  /** When the user proved that they receive messages at the identifier. */
  verified_at: Timestamp | null;
  created_at: Timestamp;
}

export interface MembershipsTable {
  org_id: string;
  user_id: string;
  role: Role;
  created_at: WithDefault<Date>;
}

export interface InvitationsTable {
  id: string;
  org_id: string;
  email: string;
  role: Role;
  token_hash: string;
  invited_by: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  accepted_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

/** Only the SHA-256 of a secret is stored. */
export interface ApiKeysTable {
  id: string;
  org_id: string;
  name: string;
  role: Role;
  secret_hash: string;
  last_four: string;
  created_by: string;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
  created_at: Timestamp;
}

/** One sign-in: the family of its refresh tokens. */
export interface UserSessionsTable {
  id: string;
  user_id: string;
  method: string;
  ip: string;
  user_agent: string;
  created_at: Timestamp;
  last_used_at: Timestamp;
  /** Absolute expiry, unaffected by refreshes. */
  expires_at: Timestamp;
  revoked_at: Timestamp | null;
  revoked_reason: string | null;
}

export interface RefreshTokensTable {
  token_hash: string;
  session_id: string;
  created_at: Timestamp;
  expires_at: Timestamp;
  used_at: Timestamp | null;
  /** The sealed token that replaced it: a retry within the grace period gets the same one. */
  successor_sealed: string | null;
}

export interface SigningKeysTable {
  kid: string;
  public_jwk: JSONColumnType<Record<string, string>>;
  private_sealed: string;
  created_at: Timestamp;
  /** Keys are published before they sign, so that no verifier meets an unknown key. */
  active_from: Timestamp;
}

export interface OneTimeCodesTable {
  id: string;
  purpose: "login" | "verify";
  /** Null if nobody has the identifier: the row exists anyway, for equal timing and answers. */
  user_id: string | null;
  channel: "email" | "phone";
  destination: string;
  code_hash: string;
  attempts: WithDefault<number>;
  sent_at: Timestamp;
  expires_at: Timestamp;
  consumed_at: Timestamp | null;
}

export interface PasswordResetsTable {
  token_hash: string;
  user_id: string | null;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}

export interface MfaTotpTable {
  user_id: string;
  secret_sealed: string;
  confirmed_at: Timestamp | null;
  /** The last time step a code was accepted from; steps up to it are refused (RFC 6238, 5.2). */
  last_step: number | null;
  created_at: Timestamp;
}

export interface MfaRecoveryCodesTable {
  user_id: string;
  code_hash: string;
  used_at: Timestamp | null;
}

/** A sign-in that lacks only its second factor. */
export interface MfaPendingTable {
  token_hash: string;
  user_id: string;
  expires_at: Timestamp;
}

export interface UserIdentitiesTable {
  idp: string;
  subject: string;
  user_id: string;
  created_at: Timestamp;
}

export interface OidcFlowsTable {
  state_hash: string;
  idp: string;
  /** PKCE verifier, nonce and the hash of the browser's secret. */
  sealed: string;
  expires_at: Timestamp;
}

export interface RateLimitsTable {
  key: string;
  count: number;
  resets_at: Timestamp;
  /** Timestamps of a sliding window. Read and written in SQL only. */
  taken_at: WithDefault<unknown>;
}

export interface ClientTokensTable {
  id: string;
  token_hash: string;
  org_id: string;
  agent_id: string;
  /** Fixed at mint: variables, identifier, firstResponse. */
  fixed: JSONColumnType<Record<string, unknown>>;
  allowed_origins: JSONColumnType<string[]> | null;
  max_uses: number;
  uses: WithDefault<number>;
  mode: WithDefault<"call" | "chat">;
  /** For chat tokens: the chat's session, fixed from the start, and its maximum number of messages. */
  session_id: string | null;
  max_messages: number | null;
  minted_by: string;
  /** The key that minted it; revoking the key ends the token. */
  key_id: string | null;
  /** Held by a visitor of the agent's public page; valid while the agent is public. */
  is_public: WithDefault<boolean>;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface AuditEventsTable {
  id: string;
  org_id: string | null;
  /** The user whose credentials it concerns. */
  user_id: string | null;
  actor_kind: "user" | "key" | "nobody";
  actor_id: string | null;
  action: string;
  outcome: "success" | "failure";
  ip: string;
  user_agent: string;
  details: JSONColumnType<Record<string, unknown>>;
  at: Timestamp;
}

export interface IdentityTables {
  organizations: OrganizationsTable;
  users: UsersTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  api_keys: ApiKeysTable;
  user_sessions: UserSessionsTable;
  refresh_tokens: RefreshTokensTable;
  signing_keys: SigningKeysTable;
  one_time_codes: OneTimeCodesTable;
  password_resets: PasswordResetsTable;
  mfa_totp: MfaTotpTable;
  mfa_recovery_codes: MfaRecoveryCodesTable;
  mfa_pending: MfaPendingTable;
  user_identities: UserIdentitiesTable;
  oidc_flows: OidcFlowsTable;
  rate_limits: RateLimitsTable;
  client_tokens: ClientTokensTable;
  audit_events: AuditEventsTable;
}
