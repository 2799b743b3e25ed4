import { isBackchannel } from "@parley/media/end-of-turn/backchannel.ts";
import { endOfTurnDelayMs, finishedSoFar } from "@parley/media/end-of-turn/end-of-turn.ts";
import type { CallerState, TurnSettings, TurnState, Utterance } from "./turn-state.ts";

export type Trailing = Extract<CallerState, { kind: "trailing" }>;

/** What the caller has said so far in this turn, as one line. */
export function utteranceText(utterance: Utterance): string {
  return [...utterance.segments, utterance.interim].filter((text) => text !== "").join(" ");
}

export function newUtterance(startedAtMs: number): Utterance {
  return {
    startedAtMs,
    segments: [],
    interim: "",
    pendingFinals: 0,
    textChangedAtMs: startedAtMs,
    speechEnded: false,
    wordsEndedAtMs: undefined,
    pausedMs: 0,
    longestPauseMs: 0,
    continues: false,
    capped: false,
    source: "speech",
  };
}

/** The utterance in a caller state, without the fields of the state itself. */
export function pickUtterance(from: Utterance): Utterance {
  const { startedAtMs, segments, interim, pendingFinals, textChangedAtMs } = from;
  const { speechEnded, wordsEndedAtMs, pausedMs, longestPauseMs, continues, capped, source } = from;
  const text = { segments, interim, pendingFinals, textChangedAtMs, speechEnded, wordsEndedAtMs };
  return { startedAtMs, ...text, pausedMs, longestPauseMs, continues, capped, source };
}

interface TrailContext {
  readonly voiceEndedAtMs: number;
  readonly nowMs: number;
  /** The state of the call; its caller is the one before the change. */
  readonly state: TurnState;
  readonly settings: TurnSettings;
  /** The previous state, if the voice had already stopped. */
  readonly before?: Trailing;
}

/** Starts the wait after a voice: sets when the turn is over, going by what was said so far. */
export function trail(utterance: Utterance, context: TrailContext): Trailing {
  const { voiceEndedAtMs, nowMs, state, settings, before } = context;
  const { finalTimeoutMs } = settings.endpointing;
  const delayMs = delayAfter(utterance, state, settings);
  return {
    ...utterance,
    kind: "trailing",
    voiceEndedAtMs,
    deadlineMs: utterance.capped ? nowMs : voiceEndedAtMs + delayMs,
    finalDeadlineMs: before?.finalDeadlineMs ?? nowMs + finalTimeoutMs,
    endedByText: before?.endedByText ?? false,
    interruptionIsOver: before?.interruptionIsOver ?? false,
  };
}

/** How long the caller must be silent after `utterance` for the turn to end. The brain's own wish takes precedence. */
export function delayAfter(utterance: Utterance, state: TurnState, settings: TurnSettings): number {
  const isSettled = utterance.pendingFinals === 0 && utterance.interim === "";
  const { agent, patience, overrides } = state;
  // A "mm-hm" over the agent's voice is complete: the answer need not stay lowered for more.
  const isListening =
    agent.kind !== "silent" && agent.kind !== "thinking" && isBackchannel(utteranceText(utterance));
  const finished = isListening ? 1 : finishedOf(utteranceText(utterance), state, settings);
  return overrides.endpointingMs ?? endOfTurnDelayMs({ finished, isSettled, patience }, settings.endpointing);
}

/** How likely the caller is done with `text`, from 0 to 1, according to the operator's model once it has answered. */
export function finishedOf(
  text: string,
  { overrides, verdict }: TurnState,
  { language }: TurnSettings,
): number {
  if (verdict?.finished !== undefined && verdict.text === text) return verdict.finished;
  return finishedSoFar({ text, expect: overrides.expect ?? "speech", language });
}

/** The number of the turn that this utterance begins or continues. */
export function turnNumber(state: TurnState, utterance: Utterance): number {
  return utterance.continues ? state.turn : state.turn + 1;
}
