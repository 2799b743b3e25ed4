import type { CallerState, TurnSettings, TurnState } from "./turn-state.ts";
import { delayAfter, utteranceText } from "./utterance.ts";

type Speaking = Extract<CallerState, { kind: "speaking" }>;

/**
 * Text that has not changed for this long while only the room was heard: the caller's words are over. The voice was clear
 * up to 300 ms before it is called faint, so the end is known about a second after the last word.
 */
const STABLE_OVER_FAINT_MS = 600;
/** A voice after the caller's words that is not clear within this long is not theirs: the wait goes on under it. */
const SURELY_FAINT_MS = 300;
/** The same while a voice as clear as the caller's goes on, which may be theirs with a recognizer that lags. */
const STABLE_OVER_CLEAR_MS = 4_000;
/** A voice of words gives some within this long after the wait is over: a long first word, and a recognizer that lags. */
const WORDS_WITHIN_MS = 600;

/**
 * True when the words say that the turn is over though the voice detector still hears something: a television, other
 * people, music. Only a recognizer that gives text while the caller speaks can say so.
 */
export function textEndsTurn(
  caller: Speaking,
  nowMs: number,
  settings: TurnSettings,
  state: TurnState,
): boolean {
  if (!settings.hasInterims || utteranceText(caller) === "") return false;
  const stableMs = nowMs - caller.textChangedAtMs;
  const isByItself = isStable(caller, nowMs, stableMs);
  // Asked every 20 ms of a voice: the words are only read where they decide.
  if (!isByItself && !caller.speechEnded) return false;
  const delayMs = delayAfter({ ...caller, pendingFinals: 0 }, state, settings);
  // An end of speech that was told before this voice began says nothing about it, until its words should be there.
  return stableMs >= (isByItself ? delayMs : delayMs + WORDS_WITHIN_MS);
}

function isStable(caller: Speaking, nowMs: number, stableMs: number): boolean {
  const runsMs = nowMs - caller.voiceStartedAtMs;
  if (Math.min(stableMs, runsMs) >= STABLE_OVER_CLEAR_MS) return true;
  if (caller.speechEnded && caller.textChangedAtMs > caller.voiceStartedAtMs) return true;
  const faintMs = caller.isFaint ? nowMs - caller.clearAtMs : 0;
  // Somebody else talks behind a caller who was done.
  if (caller.wordsEndedAtMs !== undefined && faintMs >= SURELY_FAINT_MS) return true;
  return Math.min(stableMs, faintMs) >= STABLE_OVER_FAINT_MS;
}
