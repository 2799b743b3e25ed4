import { turnTakingSchema } from "@parley/shared/contracts/call-plan.ts";
import { reduceTurn } from "./turn-reducer.ts";
import {
  INITIAL_TURN_STATE,
  type TurnEffect,
  type TurnEvent,
  type TurnSettings,
  type TurnState,
} from "./turn-state.ts";

/** Settings for a recognizer that gives text while the caller speaks. */
export const SETTINGS: TurnSettings = {
  ...turnTakingSchema.parse({}),
  recognizes: true,
  hasInterims: true,
  language: "en",
  judgesWithinMs: 0,
  waitingAfterMs: 2_000,
  waitingAgainAfterMs: 0,
};
/** Settings for a recognizer that gives text once the voice is over. */
export const BY_UTTERANCE: TurnSettings = { ...SETTINGS, hasInterims: false };
/** Settings for recognition in the caller's app. */
export const BY_APP: TurnSettings = { ...BY_UTTERANCE, recognizes: false };

/** Applies events to a state. Returns the last state and every effect with its time. */
export function play(
  events: readonly TurnEvent[],
  settings = SETTINGS,
  from: TurnState = INITIAL_TURN_STATE,
) {
  let state = from;
  const effects: TurnEffect[] = [];
  for (const event of events) {
    const [next, more] = reduceTurn(state, event, settings);
    state = next;
    effects.push(...more);
  }
  return { state, effects, names: effects.map((effect) => effect.type) };
}

export const started = (ms: number): TurnEvent => ({ type: "voice_started", atMs: ms, nowMs: ms });
export const runs = (voiceMs: number, nowMs: number, clearMs = voiceMs): TurnEvent => ({
  type: "voice_runs",
  voiceMs,
  clearMs,
  nowMs,
});
/** A sound far below the caller's own voice. */
export const faint = (voiceMs: number, nowMs: number): TurnEvent => runs(voiceMs, nowMs, 0);
export const ended = (ms: number): TurnEvent => ({ type: "voice_ended", atMs: ms, nowMs: ms + 200 });
export const final = (text: string, nowMs: number): TurnEvent => ({
  type: "final",
  text,
  fromFinalize: true,
  nowMs,
});
export const interim = (text: string, nowMs: number): TurnEvent => ({ type: "interim", text, nowMs });
export const tick = (nowMs: number): TurnEvent => ({ type: "tick", nowMs });
export const typed = (text: string, nowMs: number): TurnEvent => ({
  type: "typed",
  text,
  source: "text",
  nowMs,
});
const replyStarted: TurnEvent = { type: "reply_started", interruptible: true, nowMs: 100 };

/** The agent speaks turn 1. */
export const SPEAKING = play([typed("hello", 0), replyStarted]).state;
/** The brain was asked about turn 1 and nothing was spoken yet. */
export const THINKING = play([typed("hello", 0)]).state;

export function begun(effects: readonly TurnEffect[]) {
  return effects.flatMap((effect) => (effect.type === "begin_turn" ? [effect.begin] : []));
}
