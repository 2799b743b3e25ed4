import { finishedProbability } from "./classifier/model.ts";
import { countDigits } from "./dictation.ts";
import { wordsOf } from "./words.ts";

/** What is known of a turn's words while the caller is silent. */
export interface TurnSoFar {
  /** The text recognized so far in this turn; may be empty. */
  readonly text: string;
  /** What the brain asked for; digits are dictated with pauses. */
  readonly expect?: "digits" | "speech";
  /** The recognizer's language (BCP 47). */
  readonly language?: string;
}

export interface EndpointingLimits {
  readonly minMs: number;
  readonly maxMs: number;
}

/** Likelihood from which an early request to the brain is worth it. */
const LIKELY = 0.7;
/** A turn waits its minimum from this likelihood on, its maximum up to the next one, and linearly between them. */
const SURELY_FINISHED = 0.88;
const SURELY_NOT = 0.45;
/** Text that may still change cannot end a turn sooner than this. */
const UNSETTLED_MS = 725;
/** How much a patient caller shifts the scale, and how much a quick one shortens the longest wait. */
const PATIENT_SHIFT = 0.2;
const QUICK_SHARE = 0.15;

/** Digits of a telephone number without its prefix, and with it. */
const SHORT_NUMBER_DIGITS = 7;
const LONG_NUMBER_DIGITS = 10;

/** How likely the caller is done, from 0 to 1; 0 while there are no words. */
export function finishedSoFar({ text, expect, language }: TurnSoFar): number {
  const words = wordsOf(text);
  if (words.length === 0) return 0;
  if (expect !== "digits") return finishedProbability(text, language);
  const digits = countDigits(words);
  if (digits < SHORT_NUMBER_DIGITS) return 0;
  return digits < LONG_NUMBER_DIGITS ? 0.7 : 0.85;
}

/**
 * How long to wait after the voice stopped before the turn is over: falls from maxMs to minMs as `finished` (0 to 1)
 * rises, and never leaves that range; minMs wins if it is the larger. `patience` is what the call has learned about
 * this caller, from -1 (never pauses) to 1 (pauses long): `gateway/turn/pace.ts`. Text that is not `settled` always
 * waits a little.
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

/** True if an early request to the brain is worth it. */
export function isLikelyFinished(finished: number): boolean {
  return finished >= LIKELY;
}
