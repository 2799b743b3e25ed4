import type { CallerState, TurnSettings, TurnState } from "./turn-state.ts";
import { delayAfter, utteranceText } from "./utterance.ts";

type Speaking = Extract<CallerState, { kind: "speaking" }>;

/**
 * Text unchanged for this long over mere room noise means that the caller's words are over. The voice was clear up to
 * 300 ms before it is called faint, so the end is known about a second after the last word.
 */
const STABLE_OVER_FAINT_MS = 600;
/** A voice after the caller's words that is not clear within this long is not theirs; the wait goes on under it. */
const SURELY_FAINT_MS = 300;
/** Replaces `STABLE_OVER_FAINT_MS` under a voice as clear as the caller's, which may be theirs if recognition lags. */
const STABLE_OVER_CLEAR_MS = 4_000;
/** A voice with words yields some this soon after the wait: covers a long first word and a lagging recognizer. */
const WORDS_WITHIN_MS = 600;

/**
 * True if the words show that the turn is over although the voice detector still hears something: a television, other
 * people, music. Requires a recognizer that gives text while the caller speaks.
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
  // Runs every 20 ms of a voice, so the words are only read if they decide.
  if (!isByItself && !caller.speechEnded) return false;
  const delayMs = delayAfter({ ...caller, pendingFinals: 0 }, state, settings);
  // A speech end reported before this voice began says nothing about it until its words are due.
  return stableMs >= (isByItself ? delayMs : delayMs + WORDS_WITHIN_MS);
}

function isStable(caller: Speaking, nowMs: number, stableMs: number): boolean {
  const runsMs = nowMs - caller.voiceStartedAtMs;
  if (Math.min(stableMs, runsMs) >= STABLE_OVER_CLEAR_MS) return true;
  if (caller.speechEnded && caller.textChangedAtMs > caller.voiceStartedAtMs) return true;
  const faintMs = caller.isFaint ? nowMs - caller.clearAtMs : 0;
  // Another person talks behind a caller who has finished.
  if (caller.wordsEndedAtMs !== undefined && faintMs >= SURELY_FAINT_MS) return true;
  return Math.min(stableMs, faintMs) >= STABLE_OVER_FAINT_MS;
}
