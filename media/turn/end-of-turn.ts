import { hasFewDigits, isDictating } from "./dictation.ts";
import { phrasesOf } from "./phrases.ts";
import { wordsOf } from "./words.ts";

export interface EndOfTurnInput {
  /** What was recognised of this turn so far; may be empty. */
  readonly text: string;
  /** `text` will not change any more. */
  readonly hasFinal: boolean;
  readonly minMs: number;
  readonly maxMs: number;
  /** What the brain asked for: digits are dictated with pauses. */
  readonly expect?: "digits" | "speech";
}

/** How a turn sounds so far; "unsure" when its words tell nothing. */
type Sound = "complete" | "unfinished" | "unsure";

const UNFINISHED = phrasesOf("unfinished");
const FINISHED = [...phrasesOf("finished")];
const ANSWERS = phrasesOf("answers");
const QUESTIONS = phrasesOf("questions");
/** "How much" may go on; "how much is it" does not have to. */
const MIN_QUESTION_WORDS = 3;

const ASKS = /[?？؟]["'”’»)\]」』]*$/u;
const ENDS = /[.!。！।॥۔]["'”’»)\]」』]*$/u;
const TRAILS_OFF = /(?:\.\.|…|[,;:،，、；：]|[-–—])["'”’»)\]」』]*$/u;

/**
 * How long to wait after the voice stopped before the turn is over; never outside minMs and maxMs. What
 * sounds complete waits minMs, what sounds unfinished, or is not known yet, waits maxMs, everything
 * else the middle. Digits are never cut short, and text that may still change is never taken for complete.
 */
export function endOfTurnDelayMs({ text, hasFinal, minMs, maxMs, expect }: EndOfTurnInput): number {
  const middleMs = Math.round((minMs + maxMs) / 2);
  const words = wordsOf(text);
  if (words.length === 0) return maxMs;
  if (expect === "digits") return hasFewDigits(words) ? maxMs : middleMs;
  const sound = soundOf(text, words);
  if (sound === "unfinished") return maxMs;
  return sound === "complete" && hasFinal ? minMs : middleMs;
}

/** True when `text` sounds like a finished turn, so that an early request to the brain is worth it. */
export function isLikelyComplete(text: string): boolean {
  return soundOf(text, wordsOf(text)) === "complete";
}

function soundOf(text: string, words: readonly string[]): Sound {
  const trimmed = text.trim();
  const last = words.at(-1);
  if (last === undefined) return "unsure";
  if (ASKS.test(trimmed)) return "complete";
  if (TRAILS_OFF.test(trimmed)) return "unfinished";
  const phrase = words.join(" ");
  if (ANSWERS.has(phrase)) return "complete";
  if (isDictating(words)) return "unfinished";
  const isFinished = FINISHED.some((ending) => phrase === ending || phrase.endsWith(` ${ending}`));
  // Recognisers put a full stop after whatever came before a pause, so the word says more than the stop.
  if (UNFINISHED.has(last) && !isFinished) return "unfinished";
  if (ENDS.test(trimmed) || isFinished) return "complete";
  const isQuestion = QUESTIONS.has(words[0] as string) && words.length >= MIN_QUESTION_WORDS;
  return isQuestion ? "complete" : "unsure";
}
