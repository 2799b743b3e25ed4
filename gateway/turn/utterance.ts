import { endOfTurnDelayMs } from "@parley/media/turn/end-of-turn.ts";
import type { CallerState, Manners, TurnSettings, TurnState, Utterance } from "./turn-state.ts";

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
    continues: false,
    capped: false,
    source: "speech",
  };
}

/** The utterance of a caller state, without what belongs to the state itself. */
export function pickUtterance(from: Utterance): Utterance {
  const { startedAtMs, segments, interim, pendingFinals, textChangedAtMs } = from;
  const { speechEnded, wordsEndedAtMs, continues, capped, source } = from;
  const text = { segments, interim, pendingFinals, textChangedAtMs, speechEnded, wordsEndedAtMs };
  return { startedAtMs, ...text, continues, capped, source };
}

interface TrailContext {
  readonly voiceEndedAtMs: number;
  readonly nowMs: number;
  readonly manners: Manners;
  readonly settings: TurnSettings;
  /** The state before, when the voice had stopped already. */
  readonly before?: Trailing;
}

/** The voice has stopped: by when is the turn over, going by what was said so far. */
export function trail(utterance: Utterance, context: TrailContext): Trailing {
  const { voiceEndedAtMs, nowMs, manners, settings, before } = context;
  const { minMs, maxMs, finalTimeoutMs } = settings.endpointing;
  const delayMs =
    manners.endpointingMs ??
    endOfTurnDelayMs({
      text: utteranceText(utterance),
      hasFinal: utterance.pendingFinals === 0 && utterance.interim === "",
      minMs,
      maxMs: Math.max(minMs, maxMs),
      expect: manners.expect ?? "speech",
    });
  return {
    ...utterance,
    kind: "trailing",
    voiceEndedAtMs,
    deadlineMs: utterance.capped ? nowMs : voiceEndedAtMs + delayMs,
    finalDeadlineMs: before?.finalDeadlineMs ?? nowMs + finalTimeoutMs,
    endedByText: before?.endedByText ?? false,
    alarmIsOver: before?.alarmIsOver ?? false,
  };
}

/** The number of the turn this utterance becomes, or goes on with. */
export function turnNumber(state: TurnState, utterance: Utterance): number {
  return utterance.continues ? state.turn : state.turn + 1;
}
