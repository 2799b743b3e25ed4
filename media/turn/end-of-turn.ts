import { countWords } from "./words.ts";

export interface EndOfTurnInput {
  /** What was recognised of this turn so far; may be empty. */
  readonly text: string;
  /** `text` will not change any more. */
  readonly hasFinal: boolean;
  readonly minMs: number;
  readonly maxMs: number;
  readonly expect?: "digits" | "speech";
}

/** How long to wait after the voice stopped before the turn is over. Never outside minMs and maxMs. */
export function endOfTurnDelayMs(input: EndOfTurnInput): number {
  const { text, minMs, maxMs } = input;
  if (isLikelyComplete(text)) return minMs;
  return countWords(text) === 0 ? Math.round((minMs + maxMs) / 2) : maxMs;
}

/** True when `text` sounds like a finished turn. */
export function isLikelyComplete(text: string): boolean {
  return /[.?!。！？।؟]["')\]]*\s*$/u.test(text);
}
