import { endOfTurnDelayMs } from "@parley/media/turn/end-of-turn.ts";
import type { CallerState, Manners, TurnSettings } from "./turn-state.ts";
import { utteranceText } from "./utterance.ts";

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
  caller: Extract<CallerState, { kind: "speaking" }>,
  nowMs: number,
  settings: TurnSettings,
  manners: Manners,
): boolean {
  const text = utteranceText(caller);
  if (!settings.hasInterims || text === "") return false;
  const stableMs = nowMs - caller.textChangedAtMs;
  const { minMs, maxMs } = settings.endpointing;
  const delayMs =
    manners.endpointingMs ??
    endOfTurnDelayMs({
      text,
      hasFinal: caller.interim === "",
      minMs,
      maxMs: Math.max(minMs, maxMs),
      expect: manners.expect ?? "speech",
    });
  if (caller.speechEnded) return stableMs >= delayMs;
  if (stableMs >= Math.max(delayMs, STABLE_OVER_CLEAR_MS)) return true;
  const stableOverFaintMs = Math.min(stableMs, nowMs - caller.clearAtMs);
  return caller.isFaint && stableMs >= delayMs && stableOverFaintMs >= STABLE_OVER_FAINT_MS;
}
