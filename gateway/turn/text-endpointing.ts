import type { CallerState, TurnSettings, TurnState } from "./turn-state.ts";
import { delayAfter, utteranceText } from "./utterance.ts";

type Speaking = Extract<CallerState, { kind: "speaking" }>;

/**
 * Text that has not changed for this long while only the room was heard: the caller's words are over. The voice was clear
 * up to 300 ms before it is called faint, so the end is known about a second after the last word.
 */
const STABLE_OVER_FAINT_MS = 700;
/** The same while a voice as clear as the caller's goes on, which may be theirs with a recogniser that lags. */
const STABLE_OVER_CLEAR_MS = 4_000;

/**
 * True when the words say that the turn is over though the voice detector still hears something: a television, other
 * people, music. Only a recogniser that gives text while the caller speaks can say so.
 */
export function textEndsTurn(
  caller: Speaking,
  nowMs: number,
  settings: TurnSettings,
  state: TurnState,
): boolean {
  if (!settings.hasInterims || utteranceText(caller) === "") return false;
  const stableMs = nowMs - caller.textChangedAtMs;
  // Asked every 20 ms of a voice: the words are only read where they decide.
  return (
    isStable(caller, nowMs, stableMs) &&
    stableMs >= delayAfter({ ...caller, pendingFinals: 0 }, state, settings)
  );
}

function isStable(caller: Speaking, nowMs: number, stableMs: number): boolean {
  if (caller.speechEnded || stableMs >= STABLE_OVER_CLEAR_MS) return true;
  return caller.isFaint && Math.min(stableMs, nowMs - caller.clearAtMs) >= STABLE_OVER_FAINT_MS;
}
