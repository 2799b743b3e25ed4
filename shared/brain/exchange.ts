import type { Readable } from "node:stream";
import { type Dispatcher, request as httpRequest } from "undici";
import type { BrainPlan } from "../contracts/brain-plan.ts";
import { BrainError, isWorthRetrying, toBrainError } from "./brain-error.ts";
import type { BrainBreaker, BreakerKey } from "./breaker.ts";
import { Deadline } from "./deadline.ts";
import { decompressed } from "./decompress.ts";
import type { BrainDeps, BrainQuestion } from "./port.ts";
import { readEvents } from "./sse.ts";

/** The POST of one turn: URL, headers, and the exact bytes sent. */
export interface TurnPost {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The meaning of one event of an answer. */
export type Reading<T> =
  | {
      readonly type: "part";
      readonly part: T;
      /** Nothing has to follow: an answer that stops or breaks off after it is complete. */
      readonly mayBeLast?: boolean;
    }
  | { readonly type: "done" }
  | { readonly type: "nothing" };

/** A request with a streamed answer, and how to read that answer. */
export interface Exchange<T> {
  readonly post: TurnPost;
  readonly dispatcher: Dispatcher;
  /** The breaker key: its consecutive failures hold further requests back. */
  readonly breakerKey: BreakerKey;
  /** Reads one event's data; throwing ends the answer. */
  readonly read: (data: string) => Reading<T>;
  /** Builds the error for a status outside 200 to 299; must read or destroy `body`. */
  readonly refusal: (status: number, body: Dispatcher.ResponseData["body"]) => Promise<BrainError>;
}

export interface ExchangeDeps extends Pick<BrainDeps, "clock" | "metrics"> {
  readonly breaker: BrainBreaker;
}

type Waiting = Pick<BrainQuestion<BrainPlan>, "plan" | "signal" | "onSent" | "onFirstContent">;

const MAX_TRIES = 2;
/** How long more is waited for after a part that may be the last. */
const AFTER_LAST_MS = 2_000;
/** Bytes read past the end of an answer so that its connection can be reused instead of closed. */
const MAX_DRAIN_BYTES = 16 * 1024;

/**
 * Sends a request and streams the parts of its answer, handling deadlines, one retry if nothing came yet, the
 * breaker, and the abort. Throws `BrainError`; ends silently when the signal is aborted.
 */
export async function* exchange<T>(
  { post, breakerKey, ...rest }: Exchange<T>,
  question: Waiting,
  deps: ExchangeDeps,
): AsyncIterable<T> {
  const { breaker, metrics } = deps;
  for (let attempt = 1; ; attempt++) {
    let hasContent = false;
    try {
      if (!breaker.admits(breakerKey)) {
        throw new BrainError(
          "breaker_open",
          "The brain failed several times in a row and is left alone for a while.",
        );
      }
      for await (const part of askOnce({ post, breakerKey, ...rest }, question, deps)) {
        if (!hasContent) {
          hasContent = true;
          question.onFirstContent();
          breaker.answered(breakerKey);
        }
        yield part;
      }
      if (!hasContent) breaker.answered(breakerKey);
      return;
    } catch (error) {
      if (question.signal.aborted) return;
      const failure = toBrainError(error);
      if (failure.isFinal) breaker.answered(breakerKey);
      else if (failure.failure !== "breaker_open") breaker.failed(breakerKey);
      if (attempt < MAX_TRIES && !hasContent && isWorthRetrying(failure)) continue;
      metrics.brainErrorsTotal.inc({ cause: failure.failure });
      throw failure;
    }
  }
}

async function* askOnce<T>(asked: Exchange<T>, question: Waiting, deps: ExchangeDeps): AsyncIterable<T> {
  const { plan, signal } = question;
  const deadline = new Deadline(deps.clock);
  const either = AbortSignal.any([signal, deadline.signal]);
  let body: Readable | undefined;
  let mayBeOver = false;
  try {
    deadline.set(
      "first_token_timeout",
      plan.firstTokenTimeoutMs,
      `The brain sent no content within ${plan.firstTokenTimeoutMs} ms.`,
    );
    body = await openStream(asked, { question, deps, signal: either });
    // Leaving the loop must not close the connection: after [DONE] the connection returns to the pool.
    for await (const data of readEvents(body.iterator({ destroyOnReturn: false }))) {
      const reading = asked.read(data);
      if (reading.type === "done") {
        giveBack(body);
        body = undefined;
        return;
      }
      if (reading.type === "nothing") continue;
      // Only content clears the deadline; comments and empty deltas merely keep the connection alive.
      deadline.clear();
      yield reading.part;
      mayBeOver = reading.mayBeLast ?? false;
      deadline.set(
        "idle_timeout",
        mayBeOver ? Math.min(AFTER_LAST_MS, plan.idleTimeoutMs) : plan.idleTimeoutMs,
        `The brain paused for more than ${plan.idleTimeoutMs} ms.`,
      );
    }
    deps.metrics.brainStreamsWithoutDoneTotal.inc();
  } catch (error) {
    if (!mayBeOver) throw deadline.failure ?? error;
    deps.metrics.brainStreamsWithoutDoneTotal.inc();
  } finally {
    deadline.clear();
    body?.destroy();
  }
}

interface OpenContext {
  readonly question: Waiting;
  readonly deps: ExchangeDeps;
  readonly signal: AbortSignal;
}

async function openStream<T>(
  { post, dispatcher, refusal }: Exchange<T>,
  { question, deps, signal }: OpenContext,
): Promise<Readable> {
  const startedMs = deps.clock.monotonicMs();
  question.onSent(startedMs);
  const { statusCode, headers, body } = await httpRequest(post.url, {
    method: "POST",
    headers: post.headers,
    body: post.body,
    dispatcher,
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  deps.metrics.brainConnectSeconds.observe((deps.clock.monotonicMs() - startedMs) / 1000);
  body.on("error", () => undefined);
  if (statusCode < 200 || statusCode > 299) throw await refusal(statusCode, body);
  const type = String(headers["content-type"] ?? "").toLowerCase();
  if (!type.startsWith("text/event-stream") && !type.startsWith("text/plain")) {
    body.destroy();
    throw new BrainError(
      "content_type",
      `The brain answered ${type || "no content type"}; text/event-stream is expected.`,
    );
  }
  return decompressed(body, String(headers["content-encoding"] ?? "identity"));
}

/** Drains the few bytes that may follow the end, so that the connection can serve the next turn. */
function giveBack(body: Readable): void {
  let bytes = 0;
  body.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAIN_BYTES) body.destroy();
  });
  body.resume();
}
