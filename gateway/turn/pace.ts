import { countWords } from "@parley/media/end-of-turn/words.ts";
import type { TurnState, Utterance } from "./turn-state.ts";
import { utteranceText } from "./utterance.ts";

/**
 * Learns how long this caller pauses while speaking; forgotten with the call. `patience` is one number from -1 (speaks
 * in one breath) to 1 (pauses for seconds); `endOfTurnDelayMs` turns it into a wait between the agent's limits.
 */

/** A caller who goes on this soon after an answer began had not finished. */
const CUT_OFF_WITHIN_MS = 1_000;
/** An average pause; one that is `LONG_PAUSE_MS` longer counts as the longest. */
const USUAL_PAUSE_MS = 500;
const LONG_PAUSE_MS = 1_000;
/** This many words without a pause show that the caller needs none. */
const QUICK_WORDS = 6;
/** How far one turn moves the patience. A cut-off moves it most, and never down. */
const LEARN = { up: 0.5, down: 0.2, quick: 0.15 };
const CUT_OFF = 0.6;
const FORGET = 0.95;

/** The patience after `utterance` has become a turn. */
export function learnPace(state: TurnState, utterance: Utterance): number {
  const before = state.patience;
  if (wasCutOff(state, utterance)) return bounded(Math.max(before, 0) + CUT_OFF);
  const { longestPauseMs } = utterance;
  if (longestPauseMs > 0) {
    const target = bounded((longestPauseMs - USUAL_PAUSE_MS) / LONG_PAUSE_MS);
    return bounded(before + (target > before ? LEARN.up : LEARN.down) * (target - before));
  }
  const isQuick = utterance.source === "speech" && countWords(utteranceText(utterance)) >= QUICK_WORDS;
  return bounded(isQuick ? before + LEARN.quick * (-1 - before) : before * FORGET);
}

/** True if the answer being talked over had hardly begun: it came too early. */
function wasCutOff({ agent, answeredAtMs }: TurnState, { startedAtMs, source }: Utterance): boolean {
  if (agent.kind !== "speaking" && agent.kind !== "held") return false;
  return source === "speech" && answeredAtMs !== undefined && startedAtMs <= answeredAtMs + CUT_OFF_WITHIN_MS;
}

function bounded(patience: number): number {
  return Math.min(1, Math.max(-1, patience));
}
