import type { TurnEffect, TurnEvent, TurnSettings, TurnState } from "./turn-state.ts";
import { trail, utteranceText } from "./utterance.ts";

type Step = readonly [TurnState, readonly TurnEffect[]];

/**
 * Asks the operator's model, if there is one, about text that will not change any more. The model does not judge a wait
 * that the brain requested.
 */
export function askVerdict(state: TurnState, nowMs: number, { judgesWithinMs }: TurnSettings): Step {
  const { caller, overrides } = state;
  if (judgesWithinMs === 0 || caller.kind !== "trailing" || caller.source !== "speech") return [state, []];
  if (overrides.endpointingMs !== undefined || overrides.expect === "digits") return [state, []];
  const text = utteranceText(caller);
  if (text === state.verdict?.text) return [state, []];
  const verdict = { text, dueAtMs: nowMs + judgesWithinMs, finished: undefined };
  return [{ ...state, verdict }, [{ type: "judge", text }]];
}

/** True while the turn's end waits for the model's answer: never past the answer's deadline or the ceiling. */
export function awaitsVerdict(
  { verdict, caller }: TurnState,
  nowMs: number,
  settings: TurnSettings,
): boolean {
  if (caller.kind !== "trailing" || verdict === undefined || verdict.finished !== undefined) return false;
  const { minMs, maxMs } = settings.endpointing;
  const ceilingMs = caller.voiceEndedAtMs + Math.max(minMs, maxMs);
  return nowMs < Math.min(verdict.dueAtMs, ceilingMs) && verdict.text === utteranceText(caller);
}

/** The model has answered or run out of time: sets the wait accordingly; the next tick ends an expired turn. */
export function onJudged(
  state: TurnState,
  event: Extract<TurnEvent, { type: "judged" }>,
  settings: TurnSettings,
): Step {
  const { verdict, caller } = state;
  if (verdict?.text !== event.text) return [state, []];
  const { finished, nowMs } = event;
  const next: TurnState = {
    ...state,
    verdict: { ...verdict, finished, dueAtMs: Math.min(verdict.dueAtMs, nowMs) },
  };
  if (caller.kind !== "trailing") return [next, []];
  const { voiceEndedAtMs } = caller;
  return [
    { ...next, caller: trail(caller, { voiceEndedAtMs, nowMs, state: next, settings, before: caller }) },
    [],
  ];
}
