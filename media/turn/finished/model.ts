import { featuresOf, type Reader } from "./features.ts";
import { languageOf } from "./language-of.ts";
import weights from "./weights.json" with { type: "json" };

/** What each feature says: above zero for finished. */
export type Weights = Readonly<Record<string, number>>;

const TAIL_CHARS = 200;
/**
 * Whatever else was learned: half a number is a wrong number, and what is dictated comes with pauses. A number of three to
 * six digits, or an address without its end, is not done; one of seven to nine may be.
 */
const DICTATED: Readonly<Record<string, number>> = {
  "dictates number begun": 0.3,
  ...Object.fromEntries([3, 4, 5, 6].map((digits) => [`dictates number ${digits}`, 0.4])),
  ...Object.fromEntries([7, 8, 9].map((digits) => [`dictates number ${digits}`, 0.5])),
  "dictates email open": 0.4,
};
const READERS: Readonly<Record<Reader, Weights>> = weights;

/**
 * How likely it is that `text`, said by a caller who has just stopped, is a finished turn, from 0 to 1. `language` is the
 * recogniser's setting (BCP 47); the words themselves may tell another one. Text in a language we have no words of is judged
 * by its length and marks. The weights are what `scripts/train-finished.ts` makes of `corpus/`.
 */
export function finishedProbability(text: string, language?: string): number {
  const tail = tailOf(text);
  const reader = languageOf(tail, language);
  return finishedBy(READERS[reader], tail, reader);
}

/** The same by given weights, of a text that is not long. */
export function finishedBy(weights: Weights, text: string, reader: Reader): number {
  const features = featuresOf(text, reader);
  const sum = features.reduce((total, feature) => total + (weights[feature] ?? 0), 0);
  const learned = 1 / (1 + Math.exp(-sum));
  return features.reduce((least, feature) => Math.min(least, DICTATED[feature] ?? 1), learned);
}

/** The end of a long text, from the beginning of a word: what was said a minute ago tells nothing. */
function tailOf(text: string): string {
  if (text.length <= TAIL_CHARS) return text;
  const tail = text.slice(-TAIL_CHARS);
  return tail.slice(tail.indexOf(" ") + 1);
}
