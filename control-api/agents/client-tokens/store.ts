import { type NotNull, sql } from "kysely";
import type { Database } from "../../database/open.ts";

export interface FixedAtMint {
  readonly variables: Record<string, string>;
  readonly identifier?: string | undefined;
  readonly firstResponse?: string | undefined;
}

export interface NewClientToken {
  readonly id: string;
  readonly tokenHash: string;
  readonly orgId: string;
  readonly agentId: string;
  readonly fixed: FixedAtMint;
  readonly allowedOrigins: readonly string[] | undefined;
  readonly maxUses: number;
  readonly mode: "call" | "chat";
  readonly sessionId: string | null;
  readonly maxMessages: number | null;
  readonly mintedBy: string;
  readonly keyId: string | null;
  /** For a visitor of the agent's public page. */
  readonly isPublic?: boolean;
  readonly at: Date;
  readonly expiresAt: Date;
}

export async function insertClientToken({ db }: Database, token: NewClientToken): Promise<void> {
  await db
    .insertInto("client_tokens")
    .values({
      id: token.id,
      token_hash: token.tokenHash,
      org_id: token.orgId,
      agent_id: token.agentId,
      fixed: JSON.stringify(token.fixed),
      allowed_origins: token.allowedOrigins ? JSON.stringify(token.allowedOrigins) : null,
      max_uses: token.maxUses,
      mode: token.mode,
      session_id: token.sessionId,
      max_messages: token.maxMessages,
      minted_by: token.mintedBy,
      key_id: token.keyId,
      is_public: token.isPublic ?? false,
      created_at: token.at,
      expires_at: token.expiresAt,
    })
    .execute();
}

const WRITERS = ["owner", "admin", "developer"] as const;

/** Finds a call token that has not expired. */
export async function findClientToken({ db }: Database, tokenHash: string, at: Date) {
  return selectToken(db, tokenHash)
    .where("client_tokens.mode", "=", "call")
    .where("expires_at", ">", at)
    .executeTakeFirst();
}

/** Finds a chat token, which may have expired since its chat began. */
export async function findChatToken({ db }: Database, tokenHash: string) {
  return selectToken(db, tokenHash)
    .select([
      "client_tokens.session_id as sessionId",
      "client_tokens.max_messages as maxMessages",
      "client_tokens.expires_at as expiresAt",
    ])
    .where("client_tokens.mode", "=", "chat")
    .$narrowType<{ sessionId: NotNull; maxMessages: NotNull }>()
    .executeTakeFirst();
}

/**
 * Selects a token that is still valid: its minter is active, and the key that minted it is not revoked, or the member
 * who did still has the right. A token of a public page is valid while the agent is public: the page minted it, whichever
 * owner it is attributed to.
 */
function selectToken(db: Database["db"], tokenHash: string) {
  return db
    .selectFrom("client_tokens")
    .innerJoin("users", "users.id", "client_tokens.minted_by")
    .leftJoin("api_keys", "api_keys.id", "client_tokens.key_id")
    .leftJoin("public_agents", "public_agents.agent_id", "client_tokens.agent_id")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.user_id", "=", "client_tokens.minted_by")
        .onRef("memberships.org_id", "=", "client_tokens.org_id"),
    )
    .select([
      "client_tokens.id as id",
      "client_tokens.org_id as orgId",
      "client_tokens.agent_id as agentId",
      "client_tokens.fixed as fixed",
      "client_tokens.allowed_origins as allowedOrigins",
      "client_tokens.minted_by as mintedBy",
      "client_tokens.is_public as isPublic",
    ])
    .where("token_hash", "=", tokenHash)
    .where(({ or, and, eb }) => {
      const isMinters = or([
        eb("client_tokens.key_id", "is not", null),
        eb("memberships.role", "in", WRITERS),
      ]);
      return or([
        and([eb("client_tokens.is_public", "=", true), eb("public_agents.is_public", "=", true)]),
        and([
          eb("client_tokens.is_public", "=", false),
          eb("users.status", "=", "active"),
          eb("api_keys.revoked_at", "is", null),
          isMinters,
        ]),
      ]);
    });
}

/** Uses one of the token's calls; false when none is left. One statement, so concurrent uses stay within the limit. */
export async function useClientToken({ db }: Database, id: string, at: Date): Promise<boolean> {
  const used = await db
    .updateTable("client_tokens")
    .set({ uses: sql<number>`uses + 1` })
    .where("id", "=", id)
    .whereRef("uses", "<", "max_uses")
    .where("expires_at", ">", at)
    .returning("id")
    .executeTakeFirst();
  return used !== undefined;
}

/**
 * Counts a message sent in a chat; false past the limit. Failed and interrupted messages count too, as the brain was
 * asked: the limit leaves room for each message to be sent twice, and a few more.
 */
export async function countChatMessage({ db }: Database, id: string): Promise<boolean> {
  const counted = await db
    .updateTable("client_tokens")
    .set({ uses: sql<number>`uses + 1` })
    .where("id", "=", id)
    .where(sql<boolean>`uses < 2 * max_messages + 10`)
    .returning("id")
    .executeTakeFirst();
  return counted !== undefined;
}

/** Keeps a token from beginning another chat; the chat it began goes on. */
export async function closeClientToken({ db }: Database, id: string): Promise<void> {
  await db
    .updateTable("client_tokens")
    // In the past by any process's clock.
    .set(({ ref }) => ({ expires_at: ref("created_at") }))
    .where("id", "=", id)
    .execute();
}

/** Whether the token may still begin a chat. */
export async function isClientTokenOpen({ db }: Database, id: string, at: Date): Promise<boolean> {
  const open = await db
    .selectFrom("client_tokens")
    .select("id")
    .where("id", "=", id)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return open !== undefined;
}

/** Gives a use back when the call could not be made. */
export async function giveUseBack({ db }: Database, id: string): Promise<void> {
  await db.updateTable("client_tokens").set({ uses: sql<number>`uses - 1` }).where("id", "=", id).execute();
}

export async function deleteOldClientTokens({ db }: Database, before: Date): Promise<void> {
  await db.deleteFrom("client_tokens").where("expires_at", "<", before).execute();
}
