import { AppError } from "@parley/shared/errors.ts";
import { assertOrigin, invalidToken } from "../../agents/client-tokens/client-tokens.ts";
import {
  closeClientToken,
  countChatMessage,
  type FixedAtMint,
  findChatToken,
  isClientTokenOpen,
} from "../../agents/client-tokens/store.ts";
import type { Limits } from "../../http/limits/limits.ts";
import type { Client } from "../../http/plugins/client.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { endChat } from "./finalize.ts";
import type { OpenedTurn } from "./open-turn.ts";
import { findChat, releaseLease } from "./store.ts";
import { beginTurn } from "./take-turn.ts";

export interface VisitorDeps extends ChatDeps {
  readonly rates: Limits;
  readonly audit: Audit;
}

/** A client token for a chat. */
export type Visitor = NonNullable<Awaited<ReturnType<typeof findChatToken>>>;

/**
 * Resolves a token's visitor and counts the request. Throws `AppError` token_invalid (unknown, for calls, or its minter
 * or key is gone), forbidden (its allowed pages do not include this one), too_many_requests.
 */
export async function visitorOf(
  tokenHash: string,
  origin: string | undefined,
  { database, rates }: Pick<VisitorDeps, "database" | "rates">,
): Promise<Visitor> {
  const visitor = await findChatToken(database, tokenHash);
  if (!visitor) throw invalidToken();
  assertOrigin(visitor.allowedOrigins, origin);
  await rates.take("chat_messages_per_client_token", visitor.id);
  return visitor;
}

/**
 * Takes the floor in the token's only chat, or begins it. Throws `AppError` token_invalid (too old to begin one, or
 * ended before it began), gone (the chat is over, or at its message limit), and what `beginTurn` throws.
 */
export async function openVisitorsTurn(
  visitor: Visitor,
  { input, client }: { readonly input: string; readonly client: Client },
  deps: VisitorDeps,
): Promise<OpenedTurn> {
  const { id, orgId, agentId, sessionId, mintedBy, maxMessages } = visitor;
  const { variables, identifier = id } = visitor.fixed as unknown as FixedAtMint;
  const chat = await findChat(deps.database, orgId, sessionId);
  if (!chat && visitor.expiresAt.getTime() <= deps.clock.wallMs()) throw invalidToken();
  const hasRoom = !chat || chat.turns < maxMessages;
  if (!hasRoom || !(await countChatMessage(deps.database, id)))
    throw isOver("has as many messages as it may");
  const message = { agentId, identifier, input, variables, sessionId: chat ? sessionId : undefined };
  const callerKind = visitor.isPublic ? "visitor" : "client";
  const caller = { orgId, userId: mintedBy, callerKind, newSessionId: sessionId } as const;
  const turn = await beginTurn(message, caller, deps).catch((error: unknown) => {
    throw error instanceof AppError && error.code === "gone" ? isOver("is over") : error;
  });
  if (!chat) {
    // Ending a chat closes its token first: either this check sees that, or the ender sees this chat.
    if (!(await isClientTokenOpen(deps.database, id, new Date(deps.clock.wallMs())))) {
      await releaseLease(deps.database, turn);
      throw invalidToken();
    }
    const details = { clientTokenId: id, sessionId };
    await deps.audit.write({ action: "client_token.redeemed", orgId, userId: mintedBy, client, details });
  }
  return turn;
}

/** Ends the token's chat for good: a message still on its way can no longer begin it. */
export async function endVisitorsChat({ id, orgId, sessionId }: Visitor, deps: VisitorDeps): Promise<void> {
  await closeClientToken(deps.database, id);
  await endChat(sessionId, orgId, deps).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === "not_found")) throw error;
  });
}

function isOver(why: string): AppError {
  return new AppError("gone", `This chat ${why}; send the same message with a new client token.`);
}
