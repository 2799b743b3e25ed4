import { type ChatReply, chatReplySchema, visitorReplySchema } from "@parley/shared/contracts/chat.ts";
import type { ErrorBody } from "@parley/shared/contracts/envelope.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { FastifyReply } from "fastify";
import { EventStream } from "../../http/event-stream.ts";
import type { Listener } from "./answer-parts.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { OpenedTurn } from "./open-turn.ts";

/** Shorter than proxies' idle time-outs. */
const HEARTBEAT_MS = 10_000;
const SERVER_ERROR = 500;

const VISITORS_SESSION = chatReplySchema.pick({ sessionId: true, turn: true });
const SESSION = chatReplySchema.pick({ sessionId: true, identifier: true, turn: true });

export interface StreamedAnswer {
  /** Starts the answer; calls `listen` once it has the floor, but not for a replayed answer. */
  readonly take: (
    listen: (turn: OpenedTurn) => Listener,
  ) => Promise<{ result: ChatReply; isReplayed: boolean }>;
  /** Whether the end user reads it: the stream then omits tool use and the identifier they are known by. */
  readonly isVisitors: boolean;
  /** The answer stops when the client disconnects. */
  readonly endsWithClient: boolean;
}

/**
 * Answers a message with server-sent events: `session`, then `token` and `tool` as they occur, and `done` with the
 * whole reply or `error`. Throws if the answer cannot start.
 */
export async function streamAnswer(
  { take, isVisitors, endsWithClient }: StreamedAnswer,
  reply: FastifyReply,
  deps: ChatDeps,
): Promise<FastifyReply> {
  const stream = new EventStream(deps.clock, HEARTBEAT_MS);
  const session = isVisitors ? VISITORS_SESSION : SESSION;
  const signal = endsWithClient ? leavingOf(reply) : new AbortController().signal;
  const onText = (text: string): void => stream.send("token", { text });
  const onTool = (tool: object): void => {
    if (!isVisitors) stream.send("tool", tool);
  };
  await new Promise<void>((begin, refuse) => {
    let opened: OpenedTurn | undefined;
    const listen = (turn: OpenedTurn): Listener => {
      opened = turn;
      stream.send("session", session.parse(turn));
      begin();
      return { signal, onText, onTool };
    };
    take(listen)
      .then(({ result, isReplayed }) => {
        if (isReplayed) {
          stream.send("session", session.parse(result));
          replay(result, { onText, onTool });
        }
        stream.send("done", isVisitors ? visitorReplySchema.parse(result) : result);
        begin();
      })
      .catch((error: unknown) => {
        if (opened) stream.send("error", errorBody(error, { ...opened, requestId: reply.request.id }, deps));
        else refuse(error);
      })
      .finally(() => stream.end());
  });
  return stream.answer(reply);
}

/** Aborts when the client disconnects, including while the floor was being taken. */
function leavingOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = (): void => {
    if (!reply.raw.writableFinished) gone.abort();
  };
  if (reply.raw.destroyed) leave();
  else reply.raw.once("close", leave);
  return gone.signal;
}

/** Streams a kept answer as if it were generated now. */
function replay(answer: ChatReply, { onText, onTool }: Pick<Listener, "onText" | "onTool">): void {
  for (const tool of answer.toolCalls) onTool(tool);
  if (answer.reply !== "") onText(answer.reply);
}

/** Answers as `plugins/errors.ts` does: failures on our side or the brain's are logged with the request id. */
function errorBody(
  error: unknown,
  { sessionId, requestId }: Pick<OpenedTurn, "sessionId"> & { requestId: string },
  { log }: ChatDeps,
): ErrorBody {
  const facts = { sessionId, requestId, err: messageOf(error) };
  if (!(error instanceof AppError)) {
    log.error({ event: "chat_turn_crashed", ...facts }, "a chat turn failed unexpectedly");
    const text = "Something went wrong on our side. Send the message again.";
    return { success: false, error: text, code: "internal", requestId };
  }
  const body = { success: false, error: error.message, code: error.code } as const;
  if (error.status < SERVER_ERROR) return body;
  log.warn({ event: "chat_turn_failed", ...facts, code: error.code }, "a chat turn failed");
  return { ...body, requestId };
}
