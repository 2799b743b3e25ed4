import type { Readable } from "node:stream";
import { type Dispatcher, request as httpRequest } from "undici";
import type { Clock } from "../clock.ts";
import type { BrainRequest } from "../contracts/brain.ts";
import type { BrainPlan } from "../contracts/call-plan.ts";
import { AppError, messageOf } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { BrainError, isWorthRetrying } from "./brain-error.ts";
import { BrainBreaker } from "./breaker.ts";
import { Deadline } from "./deadline.ts";
import { decompressed } from "./decompress.ts";
import { type BrainPart, parseEvent } from "./parts.ts";
import { buildPost, type TurnPost } from "./request.ts";
import { readEvents } from "./sse.ts";

export type { BrainPart } from "./parts.ts";

export interface BrainClientDeps {
  /** Vets addresses at connect time and keeps connections alive. */
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    "brainErrorsTotal" | "brainUnknownEventsTotal" | "brainStreamsWithoutDoneTotal" | "brainConnectSeconds"
  >;
}

export interface BrainQuestion {
  readonly plan: BrainPlan;
  readonly request: BrainRequest;
  /** Aborting it closes the request: the endpoint sees its client go away. */
  readonly signal: AbortSignal;
  /** W3C trace context handed on to the brain. */
  readonly traceparent?: string | undefined;
  /** The request is on the wire (monotonic ms); called again for a second try. */
  readonly onSent: (atMs: number) => void;
  readonly onFirstContent: () => void;
}

export interface BrainClient {
  /**
   * Asks a customer's brain and gives its answer as it streams. One more try when nothing came yet.
   * Throws `BrainError`; ends silently when the signal is aborted.
   */
  ask(question: BrainQuestion): AsyncIterable<BrainPart>;
}

const MAX_TRIES = 2;
/** Bytes read after [DONE] to give the connection back instead of closing it. */
const MAX_DRAIN_BYTES = 16 * 1024;

export function createBrainClient(deps: BrainClientDeps): BrainClient {
  const breaker = new BrainBreaker(deps.clock);
  const namedUnknown = new WeakMap<BrainPlan, Set<string>>();
  const onUnknown = (question: BrainQuestion, name: string): void => {
    deps.metrics.brainUnknownEventsTotal.inc();
    const named = namedUnknown.get(question.plan) ?? new Set();
    namedUnknown.set(question.plan, named);
    if (named.has(name)) return;
    named.add(name);
    deps.log.warn(
      { sessionId: question.request.sessionId, event: name },
      "the brain sent an unknown control event",
    );
  };
  return { ask: (question) => askWithRetry(question, { ...deps, breaker, onUnknown }) };
}

interface AskDeps extends BrainClientDeps {
  readonly breaker: BrainBreaker;
  readonly onUnknown: (question: BrainQuestion, name: string) => void;
}

async function* askWithRetry(question: BrainQuestion, deps: AskDeps): AsyncIterable<BrainPart> {
  const post = buildPost(question.plan, question.request, question.traceparent);
  const { breaker, metrics } = deps;
  for (let attempt = 1; ; attempt++) {
    let hasContent = false;
    try {
      if (!breaker.admits(post.url.host)) {
        throw new BrainError(
          "breaker_open",
          "The brain failed several times in a row and is left alone for a while.",
        );
      }
      for await (const part of askOnce(post, question, deps)) {
        if (!hasContent) {
          hasContent = true;
          question.onFirstContent();
          breaker.succeeded(post.url.host);
        }
        yield part;
      }
      if (!hasContent) breaker.succeeded(post.url.host);
      return;
    } catch (error) {
      if (question.signal.aborted) return;
      const failure = toBrainError(error);
      if (failure.failure !== "breaker_open") breaker.failed(post.url.host);
      if (attempt < MAX_TRIES && !hasContent && isWorthRetrying(failure)) continue;
      metrics.brainErrorsTotal.inc({ cause: failure.failure });
      throw failure;
    }
  }
}

async function* askOnce(post: TurnPost, question: BrainQuestion, deps: AskDeps): AsyncIterable<BrainPart> {
  const { plan, signal } = question;
  const deadline = new Deadline(deps.clock);
  const either = AbortSignal.any([signal, deadline.signal]);
  const waitForContent = (): void =>
    deadline.set(
      "first_token_timeout",
      plan.firstTokenTimeoutMs,
      `The brain sent no content within ${plan.firstTokenTimeoutMs} ms.`,
    );
  let body: Readable | undefined;
  try {
    waitForContent();
    body = await openStream(post, { question, deps, signal: either });
    // Leaving the loop must not close the connection: after [DONE] it goes back to the pool.
    for await (const data of readEvents(body.iterator({ destroyOnReturn: false }))) {
      const event = parseEvent(data);
      if (event.type === "done") {
        giveBack(body);
        body = undefined;
        return;
      }
      if (event.type === "unknown") deps.onUnknown(question, event.name);
      if (event.type !== "token" && event.type !== "control") continue;
      // Only content counts: comments and empty deltas keep the connection, not the deadline.
      deadline.clear();
      yield event;
      deadline.set(
        "idle_timeout",
        plan.idleTimeoutMs,
        `The brain paused for more than ${plan.idleTimeoutMs} ms.`,
      );
    }
    deps.metrics.brainStreamsWithoutDoneTotal.inc();
  } catch (error) {
    throw deadline.failure ?? error;
  } finally {
    deadline.clear();
    body?.destroy();
  }
}

interface OpenContext {
  readonly question: BrainQuestion;
  readonly deps: AskDeps;
  readonly signal: AbortSignal;
}

async function openStream(post: TurnPost, { question, deps, signal }: OpenContext): Promise<Readable> {
  const startedMs = deps.clock.monotonicMs();
  question.onSent(startedMs);
  const { statusCode, headers, body } = await httpRequest(post.url, {
    method: "POST",
    headers: post.headers,
    body: post.body,
    dispatcher: deps.dispatcher,
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  deps.metrics.brainConnectSeconds.observe((deps.clock.monotonicMs() - startedMs) / 1000);
  body.on("error", () => undefined);
  if (statusCode < 200 || statusCode > 299) {
    body.destroy();
    throw new BrainError(
      "status",
      `The brain answered ${statusCode}; 200 with text/event-stream is expected.`,
    );
  }
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

/** Reads the little that may follow [DONE], so that the connection serves the next turn. */
function giveBack(body: Readable): void {
  let bytes = 0;
  body.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAIN_BYTES) body.destroy();
  });
  body.resume();
}

const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function toBrainError(error: unknown): BrainError {
  if (error instanceof BrainError) return error;
  if (error instanceof AppError && error.code === "blocked_address")
    return new BrainError("blocked", error.message);
  const cause = error instanceof Error && error.cause instanceof AppError ? error.cause : undefined;
  if (cause?.code === "blocked_address") return new BrainError("blocked", cause.message);
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (CONNECT_CODES.has(code))
    return new BrainError("connect", `The brain cannot be reached (${code}).`, error);
  return new BrainError("reset", `The connection to the brain broke (${code || messageOf(error)}).`, error);
}
