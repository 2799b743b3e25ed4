import { phrasesOf } from "./phrases.ts";
import { wordsOf } from "./words.ts";

const BACKCHANNELS = phrasesOf("backchannels");
const BEGINNINGS = [...BACKCHANNELS];
/** "Okay, okay, right": anything longer is meant to be heard. */
const MAX_WORDS = 3;

/** True if `text` only tells the speaker to go on. A plain "yes" or "no" is an answer in every language. */
export function isBackchannel(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > MAX_WORDS) return false;
  return BACKCHANNELS.has(words.join(" ")) || words.every((word) => BACKCHANNELS.has(word));
}

/** True if text that may still grow is or may become a backchannel: "I" of "I see", "uh" of "uh-huh". */
export function mayBecomeBackchannel(text: string): boolean {
  const words = wordsOf(text);
  if (words.length === 0 || words.length > MAX_WORDS) return false;
  const phrase = words.join(" ");
  if (BEGINNINGS.some((whole) => whole.startsWith(phrase))) return true;
  const last = words.at(-1) as string;
  const before = words.slice(0, -1);
  return before.every((word) => BACKCHANNELS.has(word)) && BEGINNINGS.some((whole) => whole.startsWith(last));
}
