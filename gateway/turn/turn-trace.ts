import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import type { TurnTiming } from "./turn-timing.ts";

/** The outcome of an answer. */
export type TurnOutcome = "finished" | "interrupted" | "abandoned";

/**
 * Records on a turn's span how the turn went, part by part, and ends the span. Parts that never began are left out. The
 * brain's request has its span from the start (`gateway/pipeline/answer-request.ts`).
 */
export function endTurnSpan(
  span: TraceSpan,
  { timing, outcome, nowMs }: { timing: TurnTiming; outcome: TurnOutcome; nowMs: number },
): void {
  const part = (name: string, startMs: number | undefined, endMs: number | undefined): void => {
    if (startMs !== undefined) span.open(name, startMs).end(endMs ?? nowMs);
  };
  part("end-of-turn", timing.at("endOfVoice"), timing.at("decided"));
  part("first-clause", timing.at("firstToken"), timing.at("voiceAsked"));
  part("voice", timing.at("voiceAsked"), timing.at("voiceHeard"));
  part("playout", timing.at("firstFrame"), nowMs);
  span.end(nowMs, { "parley.outcome": outcome });
}
