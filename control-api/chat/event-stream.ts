import type { ErrorBody } from "@parley/shared/contracts/envelope.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { FastifyReply } from "fastify";
import { EventStream } from "../event-stream.ts";
import type { ChatDeps } from "./chat-deps.ts";
import type { OpenedTurn } from "./open-turn.ts";
import { answerTurn } from "./take-turn.ts";

/** Shorter than proxies wait for a byte. */
const HEARTBEAT_MS = 10_000;

/**
 * Answers a turn with server-sent events: `session`, then `token` and `tool` as they come, and `done` with the
 * whole reply or `error`. A client that goes away ends the brain's answer.
 */
export function streamTurn(turn: OpenedTurn, reply: FastifyReply, deps: ChatDeps): FastifyReply {
  const stream = new EventStream(deps.clock, HEARTBEAT_MS);
  const gone = new AbortController();
  const leave = (): void => {
    if (!reply.raw.writableFinished) gone.abort();
  };
  // It may have left while the floor was taken.
  if (reply.raw.destroyed) leave();
  else reply.raw.once("close", leave);
  const { sessionId, identifier } = turn;
  stream.send("session", { sessionId, identifier, turn: turn.turn });
  const listener = {
    signal: gone.signal,
    onText: (text: string) => stream.send("token", { text }),
    onTool: (tool: object) => stream.send("tool", tool),
  };
  answerTurn(turn, deps, listener)
    .then((answer) => stream.send("done", answer))
    .catch((error: unknown) => stream.send("error", errorBody(error, turn, deps)))
    .finally(() => stream.end());
  return stream.answer(reply);
}

function errorBody(error: unknown, { sessionId }: OpenedTurn, { log }: ChatDeps): ErrorBody {
  if (error instanceof AppError) return { success: false, error: error.message, code: error.code };
  log.error({ sessionId, err: messageOf(error) }, "a chat turn failed unexpectedly");
  return {
    success: false,
    error: "Something went wrong on our side; send the message again.",
    code: "internal",
  };
}
