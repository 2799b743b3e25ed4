import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import type { TurnTiming } from "./turn-timing.ts";

/** What became of an answer. */
export type TurnOutcome = "finished" | "interrupted" | "abandoned";

/**
 * Tells a turn's span how the turn went, part by part, and ends it. Parts that never began are left out; the request to the
 * brain has a span from its beginning (`gateway/pipeline/answer-request.ts`).
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
