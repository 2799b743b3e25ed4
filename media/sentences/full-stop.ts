import { GERMAN_MONTHS, MAY_END, NEVER_ENDS, NUMBERED } from "./abbreviations.ts";

/** Whether a full stop ends the sentence; "unknown" until more of the text is there. */
export type Verdict = "ends" | "goes-on" | "unknown";

const MAX_WORD_CHARS = 16;
const DOTTED_LETTERS = /^(?:\p{L}\.)+\p{L}$/u;
/** "J. Smith", "z. B.", "a. First"; "It was I." ends all the same. */
const INITIAL = /^(?!I$)[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;
const LIST_NUMBER = /^\d{1,3}(?:\.\d{1,3})*$/;
const DAY = /^\d{1,2}$/;
const BEFORE_LIST_MARK = ":;*#>";

/** Judges the full stop at `at`; white space follows it. `next` is what stands behind the white space. */
export function judgeFullStop(text: string, at: number, next: string): Verdict {
  const word = wordBefore(text, at);
  const lower = word.toLowerCase();
  if (NEVER_ENDS.has(lower) || INITIAL.test(word)) return "goes-on";
  if (MAY_END.has(lower)) return unlessUnknown(next, /^[^\p{Ll}\p{N},;]/u);
  if (DOTTED_LETTERS.test(word)) return "goes-on";
  if (NUMBERED.has(lower)) return unlessUnknown(next, /^\P{N}/u);
  if (isListMark(text, at, word)) return "goes-on";
  if (DAY.test(word)) return judgeDay(next);
  return "ends";
}

function unlessUnknown(next: string, isNewSentence: RegExp): Verdict {
  if (next === "") return "unknown";
  return isNewSentence.test(next) ? "ends" : "goes-on";
}

/** Letters, digits and inner full stops right before `at`. */
function wordBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_WORD_CHARS), at);
  return /[\p{L}\p{N}]+(?:\.[\p{L}\p{N}]+)*$/u.exec(before)?.[0] ?? "";
}

/** "1." where a list item begins: first in its line or piece, or behind "Steps:". */
function isListMark(text: string, at: number, word: string): boolean {
  if (!LIST_NUMBER.test(word)) return false;
  const before = text.slice(0, at - word.length);
  const last = before.trimEnd().at(-1);
  return last === undefined || /\n\s*$/.test(before) || BEFORE_LIST_MARK.includes(last);
}

function judgeDay(next: string): Verdict {
  if (next === "") return "unknown";
  const word = /^\p{L}+/u.exec(next)?.[0] ?? "";
  if (GERMAN_MONTHS.includes(word)) return "goes-on";
  const mayBecomeMonth = word === next && GERMAN_MONTHS.some((month) => month.startsWith(word));
  return mayBecomeMonth && word !== "" ? "unknown" : "ends";
}
