import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import type { TurnTiming } from "./turn-timing.ts";

/** What became of an answer. */
export type TurnOutcome = "finished" | "interrupted" | "abandoned";

/** Tells a turn's span how the turn went, part by part, and ends it. Parts that never began are left out. */
export function endTurnSpan(
  span: TraceSpan,
  { timing, outcome, nowMs }: { timing: TurnTiming; outcome: TurnOutcome; nowMs: number },
): void {
  const part = (name: string, startMs: number | undefined, endMs: number | undefined): void => {
    if (startMs !== undefined) span.open(name, startMs).end(endMs ?? nowMs);
  };
  const firstToken = timing.at("firstToken");
  const asked = timing.at("asked");
  part("end-of-turn", timing.at("endOfVoice"), timing.at("decided"));
  if (asked !== undefined) {
    const attributes =
      firstToken === undefined ? {} : { "parley.first_token_ms": Math.round(firstToken - asked) };
    span.open("brain", asked, attributes).end(timing.at("answered") ?? nowMs);
  }
  part("voice", timing.at("voiceAsked"), timing.at("voiceHeard"));
  part("playout", timing.at("firstFrame"), nowMs);
  span.end(nowMs, { "parley.outcome": outcome });
}
