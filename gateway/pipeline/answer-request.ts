import type { AgentLine, BrainClient, BrainPart } from "@parley/shared/brain/client.ts";
import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import { startNow } from "@parley/shared/brain/start-now.ts";
import type { BrainRequest, Heard } from "@parley/shared/contracts/brain.ts";
import type { BrainPlan } from "@parley/shared/contracts/brain-plan.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import type { TurnTiming } from "../turn/turn-timing.ts";
import { requireAnswer } from "./require-answer.ts";

/** One request to the brain, in flight from the moment it is made. */
export interface AnswerRequest {
  readonly query: string;
  readonly parts: AsyncIterable<BrainPart>;
  readonly timing: TurnTiming;
  readonly controller: AbortController;
  /** The turn's span, ended by the code that ends the turn. */
  readonly span: TraceSpan;
}

export interface AnswerRequestDeps {
  readonly brain: BrainClient;
  readonly plan: BrainPlan;
  readonly orgId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly identifier: string | null;
  /** Agents that the call can be handed to. */
  readonly handsTo: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly now: () => number;
  /** The call's span, the parent of the turns' spans. */
  readonly callSpan: TraceSpan;
  readonly metrics: Pick<Metrics, "brainErrorsTotal">;
  /** Reports the tokens that each request to the model used. */
  readonly onTokens: (tokens: ModelTokens, turn: number) => void;
}

/**
 * Asks the brain at once and hands its parts out as they are read. Unread parts wait in the connection, not in memory.
 */
export function requestAnswer(
  question: { query: string; turn: number; heard: Heard | undefined; lines: readonly AgentLine[] },
  timing: TurnTiming,
  deps: AnswerRequestDeps,
): AnswerRequest {
  const controller = new AbortController();
  const { query, turn, heard, lines } = question;
  const request: BrainRequest = {
    ...deps.variables,
    query,
    userId: deps.userId,
    sessionId: deps.sessionId,
    turn,
    ...(heard === undefined ? {} : { heard }),
  };
  const span = deps.callSpan.open("turn", timing.at("endOfVoice") ?? deps.now(), { "parley.turn": turn });
  const asking = span.openRequest("brain", deps.now());
  const endAsking = (): void => {
    const [asked, firstToken] = [timing.at("asked"), timing.at("firstToken")];
    const isAnswered = asked !== undefined && firstToken !== undefined;
    asking.end(deps.now(), isAnswered ? { "parley.first_token_ms": Math.round(firstToken - asked) } : {});
  };
  // An aborted request has not failed.
  controller.signal.addEventListener("abort", endAsking, { once: true });
  const asked = deps.brain.ask({
    plan: deps.plan,
    orgId: deps.orgId,
    request,
    identifier: deps.identifier,
    handsTo: deps.handsTo,
    lines,
    signal: controller.signal,
    traceparent: asking.traceparent,
    onSent: (atMs) => timing.note("asked", atMs),
    onFirstContent: () => timing.note("firstToken", deps.now()),
    onTokens: (tokens) => deps.onTokens(tokens, turn),
  });
  const onEmpty = (): void => deps.metrics.brainErrorsTotal.inc({ cause: "empty" });
  const parts = requireAnswer(asked, { signal: controller.signal, onEmpty });
  const onAnswered = (): void => {
    timing.note("answered", deps.now());
    endAsking();
  };
  const onFailed = (error: unknown): void => {
    if (!controller.signal.aborted) asking.fail(error instanceof AppError ? error.code : "unknown");
    endAsking();
  };
  return { query, parts: startNow(parts, { onEnded: onAnswered, onFailed }), timing, controller, span };
}
