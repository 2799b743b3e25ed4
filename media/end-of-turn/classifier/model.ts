import { featuresOf, type Reader, WHOLE_NUMBER } from "./features.ts";
import { languageOf } from "./language-of.ts";
import weights from "./weights.json" with { type: "json" };

/** The weight of each feature: above zero speaks for finished. */
export type Weights = Readonly<Record<string, number>>;

const TAIL_CHARS = 200;
/**
 * Fixed weights that override learning: half a number is a wrong number, and dictation comes with pauses. A number of
 * three to six digits, or an address without its end, is unfinished; a number of seven to nine digits may be finished.
 */
const DICTATED: Readonly<Record<string, number>> = {
  "dictates number begun": 0.3,
  ...Object.fromEntries([3, 4, 5, 6].map((digits) => [`dictates number ${digits}`, 0.4])),
  ...Object.fromEntries([7, 8, 9].map((digits) => [`dictates number ${digits}`, 0.5])),
  "dictates email open": 0.4,
};
/** A complete number ends most turns, whatever words came before. */
const WHOLE_NUMBER_AT_LEAST = 0.9;
const READERS: Readonly<Record<Reader, Weights>> = weights;

/**
 * How likely it is that `text`, said by a caller who has just stopped, is a finished turn, from 0 to 1. `language` is
 * the recognizer's setting (BCP 47), which the words themselves may contradict. Text in a language without word lists
 * is judged by its length and marks. `scripts/train-end-of-turn.ts` makes the weights from `corpus/`.
 */
export function finishedProbability(text: string, language?: string): number {
  const tail = tailOf(text);
  const reader = languageOf(tail, language);
  return finishedBy(READERS[reader], tail, reader);
}

/** The probability by given weights, for a text that is not long. */
export function finishedBy(weights: Weights, text: string, reader: Reader): number {
  const features = featuresOf(text, reader);
  const sum = features.reduce((total, feature) => total + (weights[feature] ?? 0), 0);
  const learned = 1 / (1 + Math.exp(-sum));
  if (features.includes(WHOLE_NUMBER)) return Math.max(learned, WHOLE_NUMBER_AT_LEAST);
  return features.reduce((least, feature) => Math.min(least, DICTATED[feature] ?? 1), learned);
}

/** The end of a long text, from the start of a word: what was said a minute ago does not matter. */
function tailOf(text: string): string {
  if (text.length <= TAIL_CHARS) return text;
  const tail = text.slice(-TAIL_CHARS);
  return tail.slice(tail.indexOf(" ") + 1);
}
