/**
 * The context that a secret is sealed with besides SECRETS_KEY: the row it belongs to, so that it cannot be moved to
 * another. `columns.ts` lists where each is stored; secrets not listed there could not be resealed.
 */
export const SEAL_CONTEXT = {
  /** `name` is the field, such as `brain.secret`. */
  agent: (agentId: string, name: string) => `agent:${agentId}:${name}`,
  carrier: (connectionId: string) => `carrier:${connectionId}:credentials`,
  dataKey: (orgId: string, id: string) => `data-key:${orgId}:${id}`,
  digestKey: (orgId: string) => `digest-key:${orgId}`,
  channel: (channelId: string) => `channel:${channelId}:credentials`,
  channelMessage: (messageId: string) => `channel-message:${messageId}`,
  webhook: (endpointId: string) => `webhook:${endpointId}`,
  totp: (userId: string) => `totp:${userId}`,
  signingKey: (kid: string) => `signing-key:${kid}`,
  refreshToken: (predecessorHash: string) => `refresh:${predecessorHash}`,
  oidcFlow: (stateHash: string) => `oidc:${stateHash}`,
  oauthGrant: (orgId: string, connectionId: string) => `oauth-grant:${orgId}:${connectionId}`,
  oauthFlow: (stateHash: string) => `oauth-flow:${stateHash}`,
  oauthClient: (orgId: string, issuerHash: string) => `oauth-client:${orgId}:${issuerHash}`,
  chatUnsent: (sessionId: string) => `chat:${sessionId}:unsent`,
  chatFlow: (sessionId: string) => `chat:${sessionId}:flow`,
  chatReply: (principal: string, key: string) => `idempotent:${principal}:${key}`,
} as const;
