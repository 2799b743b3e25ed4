import { SEAL_CONTEXT } from "./contexts.ts";

/** A column of values sealed with SECRETS_KEY. */
export interface SealedColumn {
  /** Its name for operators. */
  readonly kind: string;
  readonly table: string;
  readonly column: string;
  /** The table's primary key. */
  readonly key: readonly [string, ...string[]];
  /** The column is a JSON object of sealed texts by name. */
  readonly isMap?: true;
  /** Some of its texts are sealed with data keys, which this list ignores. */
  readonly isPartlyByOrg?: true;
  /** Expires within days, so nobody has to reenter it if its key is lost. */
  readonly isShortLived?: true;
  /** `key` has the values of the primary key; `name` is the name of the text in a map. */
  readonly context: (key: readonly string[], name: string) => string;
}

/** All of them. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    kind: "brain secrets of agents",
    table: "agents",
    column: "sealed",
    key: ["id"],
    isMap: true,
    context: ([id = ""], name) => SEAL_CONTEXT.agent(id, name),
  },
  {
    kind: "credentials of carriers",
    table: "carrier_connections",
    column: "credentials_sealed",
    key: ["id"],
    context: ([id = ""]) => SEAL_CONTEXT.carrier(id),
  },
  {
    kind: "credentials of messaging channels",
    table: "messaging_channels",
    column: "credentials_sealed",
    key: ["id"],
    context: ([id = ""]) => SEAL_CONTEXT.channel(id),
  },
  {
    kind: "messages of channels that are not answered or sent yet",
    table: "messaging_messages",
    column: "sealed",
    key: ["id"],
    isShortLived: true,
    context: ([id = ""]) => SEAL_CONTEXT.channelMessage(id),
  },
  {
    kind: "data keys of organizations",
    table: "org_data_keys",
    column: "key_sealed",
    key: ["org_id", "id"],
    context: ([orgId = "", id = ""]) => SEAL_CONTEXT.dataKey(orgId, id),
  },
  {
    kind: "keys by which organizations recognize who was erased",
    table: "org_digest_keys",
    column: "key_sealed",
    key: ["org_id"],
    context: ([orgId = ""]) => SEAL_CONTEXT.digestKey(orgId),
  },
  {
    kind: "signing secrets of webhooks",
    table: "webhook_endpoints",
    column: "secret_sealed",
    key: ["id"],
    context: ([id = ""]) => SEAL_CONTEXT.webhook(id),
  },
  {
    kind: "second factors",
    table: "mfa_totp",
    column: "secret_sealed",
    key: ["user_id"],
    context: ([userId = ""]) => SEAL_CONTEXT.totp(userId),
  },
  {
    kind: "keys that sign access tokens",
    table: "signing_keys",
    column: "private_sealed",
    key: ["kid"],
    context: ([kid = ""]) => SEAL_CONTEXT.signingKey(kid),
  },
  {
    kind: "successors of refresh tokens",
    table: "refresh_tokens",
    column: "successor_sealed",
    key: ["token_hash"],
    isShortLived: true,
    context: ([hash = ""]) => SEAL_CONTEXT.refreshToken(hash),
  },
  {
    kind: "sign-ins under way at identity providers",
    table: "oidc_flows",
    column: "sealed",
    key: ["state_hash"],
    isShortLived: true,
    context: ([stateHash = ""]) => SEAL_CONTEXT.oidcFlow(stateHash),
  },
  {
    // From before grants were sealed with data keys; renewals are sealed with one.
    kind: "access to vendors and tool servers",
    table: "oauth_grants",
    column: "sealed",
    key: ["org_id", "id"],
    isPartlyByOrg: true,
    context: ([orgId = "", id = ""]) => SEAL_CONTEXT.oauthGrant(orgId, id),
  },
  {
    kind: "consents under way",
    table: "oauth_flows",
    column: "sealed",
    key: ["state_hash"],
    isShortLived: true,
    context: ([stateHash = ""]) => SEAL_CONTEXT.oauthFlow(stateHash),
  },
  {
    kind: "registrations with authorization servers",
    table: "oauth_clients",
    column: "sealed",
    key: ["org_id", "issuer_hash"],
    context: ([orgId = "", issuerHash = ""]) => SEAL_CONTEXT.oauthClient(orgId, issuerHash),
  },
  {
    kind: "words of chats that wait to be masked",
    table: "chats",
    column: "unsent",
    key: ["session_id"],
    isShortLived: true,
    context: ([sessionId = ""]) => SEAL_CONTEXT.chatUnsent(sessionId),
  },
  {
    kind: "where chats stand in flows",
    table: "chats",
    column: "flow",
    key: ["session_id"],
    isShortLived: true,
    context: ([sessionId = ""]) => SEAL_CONTEXT.chatFlow(sessionId),
  },
  {
    kind: "chat replies kept for an Idempotency-Key",
    table: "idempotent_requests",
    column: "response",
    key: ["principal", "route", "key"],
    isShortLived: true,
    context: ([principal = "", , key = ""]) => SEAL_CONTEXT.chatReply(principal, key),
  },
];
