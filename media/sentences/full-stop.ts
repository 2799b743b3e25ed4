import {
  GERMAN_ORDERED,
  MAY_END,
  NEVER_ENDS,
  NUMBERED,
  SENTENCE_STARTERS,
  TITLES,
  UNITS,
} from "./abbreviations.ts";

/** Whether a full stop ends the sentence; "unknown" until more of the text arrives. */
export type Verdict = "ends" | "goes-on" | "unknown";

const MAX_WORD_CHARS = 16;
const DOTTED_LETTERS = /^(?:\p{L}\.)+\p{L}$/u;
const UPPER_DOTTED = /^(?:\p{Lu}\.)+\p{Lu}$/u;
/** Matches the initial in "J. Smith", "z. B." and "a. First"; "It was I." ends all the same. */
const INITIAL = /^(?!I$)[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;
const LIST_NUMBER = /^\d{1,3}(?:\.\d{1,3})*$/;
const DAY = /^\d{1,2}$/;
const BEFORE_LIST_MARK = ":;*#>";

/** Longer words are never checked as sentence starters. */
const MAX_STARTER_CHARS = 8;
const HOUR = /^[ap]\.m$/;
const NEW_SENTENCE = /^[^\p{Ll}\p{N},;]/u;

/** Judges the full stop at `at`, which white space follows. `next` is the text after the white space. */
export function judgeFullStop(text: string, at: number, next: string): Verdict {
  if (isSpaced(text, at)) return judgeSpaced(text, at, next);
  const word = wordBefore(text, at);
  const before = text.slice(0, at - word.length);
  const lower = word.toLowerCase();
  if (lower === "al" && /\bet\s$/i.test(before)) return unlessUnknown(next, /^\p{Lu}/u);
  if (word === "St" || UPPER_DOTTED.test(word)) return judgeStarter(next);
  if (NEVER_ENDS.has(lower) || word === "Ft" || INITIAL.test(word)) return "goes-on";
  if (HOUR.test(lower)) return judgeHour(next);
  if (MAY_END.has(lower) || (UNITS.has(lower) && /\d\s*$/.test(before))) {
    return unlessUnknown(next, NEW_SENTENCE);
  }
  if (DOTTED_LETTERS.test(word)) return "goes-on";
  if (NUMBERED.has(lower)) return unlessUnknown(next, /^\P{N}/u);
  if (isListMark(text, at, word)) return "goes-on";
  if (DAY.test(word)) return judgeDay(next);
  return "ends";
}

/**
 * Start of the next item of a list within one line, if the full stop at `at` follows its number: "1. Open it 2. Close
 * it". Only a number one higher than the last starts an item.
 */
export function nextItemAt(text: string, at: number): number | undefined {
  const word = wordBefore(text, at);
  if (!DAY.test(word) || Number(word) < 2) return undefined;
  const start = at - word.length;
  const before = text.slice(0, start);
  if (!/\p{L}["'”’)]?\s$/u.test(before)) return undefined;
  return new RegExp(`(?:^|[:;\\n])\\s*${Number(word) - 1}\\.\\s`).test(before) ? start : undefined;
}

/** True for any stop of ". . ." except the first of the text. */
function isSpaced(text: string, at: number): boolean {
  return /\s/.test(text[at - 1] ?? "");
}

function judgeSpaced(text: string, at: number, next: string): Verdict {
  if (next === "") return "unknown";
  if (next.startsWith(".")) return "goes-on";
  return text[at - 2] === "." && /^\p{Ll}/u.test(next) ? "goes-on" : "ends";
}

function judgeStarter(next: string): Verdict {
  const word = /^\p{L}*/u.exec(next)?.[0] ?? "";
  if (word === next && word.length <= MAX_STARTER_CHARS) return "unknown";
  return SENTENCE_STARTERS.has(word) ? "ends" : "goes-on";
}

function judgeHour(next: string): Verdict {
  const word = /^\p{L}*/u.exec(next)?.[0] ?? "";
  if (word === next && [...TITLES].some((title) => title.startsWith(word))) return "unknown";
  return TITLES.has(word) ? "goes-on" : unlessUnknown(next, NEW_SENTENCE);
}

function unlessUnknown(next: string, isNewSentence: RegExp): Verdict {
  if (next === "") return "unknown";
  return isNewSentence.test(next) ? "ends" : "goes-on";
}

/** Letters, digits and inner full stops right before `at`. */
function wordBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - MAX_WORD_CHARS), at);
  return /[\p{L}\p{M}\p{N}]+(?:\.[\p{L}\p{M}\p{N}]+)*$/u.exec(before)?.[0] ?? "";
}

/** True for "1." at the start of a list item: first in its line or piece, or after "Steps:". */
function isListMark(text: string, at: number, word: string): boolean {
  if (!LIST_NUMBER.test(word)) return false;
  const before = text.slice(0, at - word.length);
  const last = before.trimEnd().at(-1);
  return last === undefined || /\n\s*$/.test(before) || BEFORE_LIST_MARK.includes(last);
}

function judgeDay(next: string): Verdict {
  if (next === "") return "unknown";
  const word = /^\p{L}+/u.exec(next)?.[0] ?? "";
  if (/^\p{Ll}/u.test(word)) return "goes-on";
  const mayGoOn = word === next && word !== "" && GERMAN_ORDERED.some((noun) => noun.startsWith(word));
  if (mayGoOn) return "unknown";
  return GERMAN_ORDERED.includes(word) ? "goes-on" : "ends";
}
