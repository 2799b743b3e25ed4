import type { Verdict } from "./full-stop.ts";

/** Only letters before the mark, the last two lower case: no file name, address or dotted name. */
const WORD_BEFORE = /(?:^|\s)[\p{L}'’-]*\p{Ll}{2}$/u;
/** A whole capitalized word: a blank or a mark follows, unlike in "Example.com". */
const WORD_BEHIND = /^(?!(?:Com|Net|Org|Io|Js|Ts)\b)\p{Lu}\p{Ll}*(?:['’]\p{Ll}+)?(?:[\s,;:!?]|\.\s)/u;
const OPEN_WORD_BEHIND = /^\p{Lu}\p{Ll}*(?:['’]\p{Ll}*)?\.?$/u;
const MAX_WORD_CHARS = 30;

/**
 * Judges a mark without white space after it: models omit it around their tool calls ("one moment.Okay, I found it"),
 * while "Node.js" and "example.com" go on.
 */
export function judgeUnspaced(text: string, at: number, isComplete: boolean): Verdict {
  if (!".!?".includes(text[at] as string)) return "goes-on";
  if (!WORD_BEFORE.test(text.slice(Math.max(0, at - MAX_WORD_CHARS), at))) return "goes-on";
  const behind = text.slice(at + 1, at + 1 + MAX_WORD_CHARS);
  if (WORD_BEHIND.test(behind)) return "ends";
  if (!OPEN_WORD_BEHIND.test(behind) || behind.length === MAX_WORD_CHARS) return "goes-on";
  return isComplete ? "ends" : "unknown";
}
