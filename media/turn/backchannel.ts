import { phrasesOf } from "./phrases.ts";
import { wordsOf } from "./words.ts";

const BACKCHANNELS = phrasesOf("backchannels");
/** "Okay, okay, right": more than that is meant to be heard. */
const MAX_WORDS = 3;

/** True when `text` only tells the speaker to go on. A plain "yes" or "no" is an answer in every language. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > MAX_WORDS) return false;
  return BACKCHANNELS.has(words.join(" ")) || words.every((word) => BACKCHANNELS.has(word));
}
