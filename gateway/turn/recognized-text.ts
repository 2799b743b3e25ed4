import type { CallerState, LateFinals, TurnSettings, TurnState, Utterance } from "./turn-state.ts";
import { newUtterance, pickUtterance, trail, utteranceText } from "./utterance.ts";

/** What the recognizer has said, trimmed. */
export interface RecognizedText {
  readonly text: string;
  readonly isFinal: boolean;
  /** True if the text answers a requested final. */
  readonly isOwed: boolean;
  readonly endsSpeech: boolean;
  readonly nowMs: number;
}

/** Puts the text in its place in the state: in the current turn, before it if late, or as a new turn. */
export function placeText(state: TurnState, heard: RecognizedText, settings: TurnSettings): TurnState {
  const { late } = state;
  const isLate = heard.isOwed && late !== undefined;
  const rest: TurnState = isLate ? { ...state, late: oneLess(late) } : state;
  if (isLate && heard.text === "") return rest;
  if (isLate) return { ...rest, caller: placeLate(rest, late, heard, settings) };
  if (state.caller.kind === "quiet" && heard.text === "") return state;
  return { ...state, caller: placeInTurn(state, addText(state.caller, heard), heard, settings) };
}

function oneLess({ count, voiceEndedAtMs }: LateFinals): LateFinals | undefined {
  return count > 1 ? { count: count - 1, voiceEndedAtMs } : undefined;
}

/** Places words of a voice that was given up; they were said before everything that is being said now. */
function placeLate(
  state: TurnState,
  { voiceEndedAtMs }: LateFinals,
  { text, nowMs }: RecognizedText,
  settings: TurnSettings,
): CallerState {
  const { caller } = state;
  if (caller.kind !== "quiet") return { ...caller, segments: [text, ...caller.segments] };
  const utterance = { ...newUtterance(voiceEndedAtMs), segments: [text], textChangedAtMs: nowMs };
  return trail(utterance, { voiceEndedAtMs, nowMs, state, settings });
}

function addText(caller: CallerState, heard: RecognizedText): Utterance {
  const { text, isFinal, isOwed, endsSpeech, nowMs } = heard;
  // A recognizer may hear what the local VAD missed; the text is then the only sign of a turn.
  const base = caller.kind === "quiet" ? newUtterance(nowMs) : pickUtterance(caller);
  const next: Utterance = {
    ...base,
    segments: isFinal && text !== "" ? [...base.segments, text] : base.segments,
    interim: isFinal ? "" : text,
    pendingFinals: Math.max(0, base.pendingFinals - (isOwed ? 1 : 0)),
  };
  const hasChanged = utteranceText(next) !== utteranceText(base);
  const isOfCurrentVoice = caller.kind === "speaking" && !isOwed;
  // An owed final belongs to the last voice if no other final is owed after it.
  const isOfLastVoice =
    isOfCurrentVoice || (isOwed && caller.kind === "trailing" && next.pendingFinals === 0);
  const hasPaused = hasChanged && isOfLastVoice;
  return {
    ...next,
    pausedMs: hasPaused ? 0 : base.pausedMs,
    longestPauseMs: hasPaused ? Math.max(base.longestPauseMs, base.pausedMs) : base.longestPauseMs,
    textChangedAtMs: hasChanged ? nowMs : base.textChangedAtMs,
    speechEnded: endsSpeech || (base.speechEnded && !hasChanged),
    wordsEndedAtMs: hasChanged && isOfCurrentVoice ? undefined : base.wordsEndedAtMs,
  };
}

function placeInTurn(
  state: TurnState,
  utterance: Utterance,
  heard: RecognizedText,
  settings: TurnSettings,
): CallerState {
  const { caller } = state;
  const { nowMs } = heard;
  if (caller.kind === "speaking") return { ...caller, ...utterance };
  if (caller.kind === "quiet") return trail(utterance, { voiceEndedAtMs: nowMs, nowMs, state, settings });
  // The last voice had no words after all, so the turn ended with the voice before it.
  const wasNoise = heard.isOwed && heard.text === "" && utteranceText(utterance) !== "";
  const voiceEndedAtMs = caller.endedByText
    ? Math.max(caller.voiceEndedAtMs, heard.isOwed ? 0 : utterance.textChangedAtMs)
    : ((wasNoise ? utterance.wordsEndedAtMs : undefined) ?? caller.voiceEndedAtMs);
  return trail(utterance, { voiceEndedAtMs, nowMs, state, settings, before: caller });
}
