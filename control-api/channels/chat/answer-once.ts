import type { ChatReply } from "@parley/shared/contracts/chat.ts";
import { chatReplySchema } from "@parley/shared/contracts/chat.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { once } from "../../http/idempotency/once.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { ChatDeps } from "./chat-deps.ts";

/** Whose kept answers tell what was said in a chat. */
export const ANSWERED_ROUTES = { backend: "/api/v1/chat", visitor: "/api/public/chat" } as const;

/** Longer than a reply may take: whoever still holds the key then has died. */
const LOCK_MS = 75_000;

/** Which request of whom a message is, so that it is known when it comes again. */
export interface Repeated {
  /** The organization and key or client token it came with. */
  readonly principal: string;
  readonly route: (typeof ANSWERED_ROUTES)[keyof typeof ANSWERED_ROUTES];
  /** The `Idempotency-Key`; without one each message is a new one. */
  readonly key: string | undefined;
  readonly body: unknown;
}

/**
 * Answers a message once for one `Idempotency-Key`: sent again within a day it gets the same answer. What was answered
 * is sealed, for it is what the user got, unmasked. Throws `AppError` conflict (the first is still being answered),
 * bad_request (the key was used with another message), and what `answer` throws.
 */
export async function answerOnce(
  request: Repeated,
  answer: () => Promise<ChatReply>,
  { database, clock, secrets }: Pick<ChatDeps, "database" | "clock" | "secrets">,
): Promise<{ result: ChatReply; isReplayed: boolean }> {
  const context = SEAL_CONTEXT.chatReply(request.principal, request.key ?? "");
  const keeping = sealedIn(secrets, context);
  const work = {
    work: answer,
    // A turn that broke off was not kept: there is nothing to find of it, and it is asked again.
    recover: async () => undefined,
    spentNothing: () => true,
    keeping,
  };
  return once({ ...request, lockMs: LOCK_MS }, work, { database, clock });
}

function sealedIn(secrets: SecretBox, context: string) {
  return {
    write: (reply: ChatReply) => secrets.seal(JSON.stringify(reply), context),
    read: (text: string) => chatReplySchema.parse(JSON.parse(secrets.open(text, context))),
    sessionOf: ({ sessionId }: ChatReply) => sessionId,
  };
}
