import { countDigits } from "./dictation.ts";
import { finishedProbability } from "./finished/model.ts";
import { wordsOf } from "./words.ts";

/** What is known of a turn's words while the caller is silent. */
export interface TurnSoFar {
  /** What was recognized of this turn so far; may be empty. */
  readonly text: string;
  /** What the brain asked for: digits are dictated with pauses. */
  readonly expect?: "digits" | "speech";
  /** The recognizer's language (BCP 47). */
  readonly language?: string;
}

export interface EndpointingLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Sure enough that an early request to the brain is worth it. */
const LIKELY = 0.7;
/** From here on a turn waits no longer than it must, up to here as long as it may; in between evenly less. */
const SURELY_FINISHED = 0.88;
const SURELY_NOT = 0.45;
/** Text that may still change is not taken for the end any sooner. */
const UNSETTLED_MS = 725;
/** How much a patient caller moves the scale, and a quick one shortens the longest wait. */
const PATIENT_SHIFT = 0.2;
const QUICK_SHARE = 0.15;

/** Digits of a telephone number without, and with, its prefix. */
const SHORT_NUMBER_DIGITS = 7;
const LONG_NUMBER_DIGITS = 10;

/** How likely it is that the caller is done, from 0 to 1; 0 while there are no words. */
export function finishedSoFar({ text, expect, language }: TurnSoFar): number {
  const words = wordsOf(text);
  if (words.length === 0) return 0;
  if (expect !== "digits") return finishedProbability(text, language);
  const digits = countDigits(words);
  if (digits < SHORT_NUMBER_DIGITS) return 0;
  return digits < LONG_NUMBER_DIGITS ? 0.7 : 0.85;
}

/**
 * How long to wait after the voice stopped before the turn is over: falls from maxMs to minMs as `finished` (0 to 1) rises,
 * and is never outside them; minMs holds where it is the larger. `patience` is what the call has taught about this caller,
 * from -1 (never pauses) to 1 (pauses long): `gateway/turn/pace.ts`. Text that is not `settled` waits a little in any case.
 */
export function endOfTurnDelayMs(
  { finished, isSettled, patience = 0 }: { finished: number; isSettled: boolean; patience?: number },
  { minMs, maxMs }: EndpointingLimits,
): number {
  const shifted = finished - PATIENT_SHIFT * Math.max(0, patience);
  const doubt = (SURELY_FINISHED - shifted) / (SURELY_FINISHED - SURELY_NOT);
  const share = Math.min(1, Math.max(0, doubt)) * (1 + QUICK_SHARE * Math.min(0, patience));
  const spanMs = Math.max(0, maxMs - minMs);
  const delayMs = minMs + Math.round(spanMs * share);
  return isSettled ? delayMs : Math.max(delayMs, Math.min(minMs + spanMs, UNSETTLED_MS));
}

/** True when an early request to the brain is worth it. */
export function isLikelyFinished(finished: number): boolean {
  return finished >= LIKELY;
}
