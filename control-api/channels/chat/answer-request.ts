import type { ChatReply } from "@parley/shared/contracts/chat.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { NOBODY } from "./answer.ts";
import { answerOnce, type Repeated } from "./answer-once.ts";
import type { Listener } from "./answer-parts.ts";
import type { ChatDeps } from "./chat-deps.ts";
import { streamAnswer } from "./event-stream.ts";
import type { OpenedTurn } from "./open-turn.ts";
import { answerTurn } from "./take-turn.ts";

/** A message and how to answer it. */
export interface ChatRequest {
  readonly repeated: Repeated;
  /** Takes the floor. */
  readonly open: () => Promise<OpenedTurn>;
  /** Whether the end user reads the answer, rather than the organization's server. */
  readonly isVisitors: boolean;
}

/**
 * Answers a message as its client asks, whole or streamed. Throws what `open`, `answerTurn` and `answerOnce` throw,
 * until the first byte of a stream is sent.
 */
export async function answerRequest(
  { repeated, open, isVisitors }: ChatRequest,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  deps: ChatDeps,
): Promise<ChatReply | FastifyReply> {
  const take = (listen: (turn: OpenedTurn) => Listener) =>
    answerOnce(
      repeated,
      async () => {
        const turn = await open();
        return answerTurn(turn, deps, listen(turn));
      },
      deps,
    );
  if (wantsEvents(request.headers.accept)) {
    // A client that sends a key comes back for the answer.
    const endsWithClient = repeated.key === undefined;
    return streamAnswer({ take, isVisitors, endsWithClient }, reply, deps);
  }
  const { result, isReplayed } = await take(() => NOBODY);
  if (isReplayed) reply.header("idempotency-replayed", "true");
  return result;
}

function wantsEvents(accept = ""): boolean {
  return accept.toLowerCase().includes("text/event-stream");
}
