import type { ChatReply } from "@parley/shared/contracts/chat.ts";
import { chatReplySchema } from "@parley/shared/contracts/chat.ts";
import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import { once } from "../../http/idempotency/once.ts";
import { SEAL_CONTEXT } from "../../sealed/contexts.ts";
import type { ChatDeps } from "./chat-deps.ts";

/** Routes whose kept answers contain chat content. */
export const ANSWERED_ROUTES = { backend: "/api/v1/chat", visitor: "/api/public/chat" } as const;

/** Longer than any reply may take: a process that still holds the key by then has died. */
const LOCK_MS = 75_000;

/** Identifies a message's request, to recognize a repeat. */
export interface Repeated {
  /** The organization, and the key or client token of the request. */
  readonly principal: string;
  readonly route: (typeof ANSWERED_ROUTES)[keyof typeof ANSWERED_ROUTES];
  /** The `Idempotency-Key`; without one, each message is new. */
  readonly key: string | undefined;
  readonly body: unknown;
}

/**
 * Answers a message once per `Idempotency-Key`: a repeat within a day gets the same answer. Kept answers are sealed,
 * because they are unmasked. Throws `AppError` conflict (the first is still being answered), bad_request (the key was
 * used with another message), and what `answer` throws.
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
    // A turn that broke off was not kept, so there is nothing to recover and the brain is asked again.
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
