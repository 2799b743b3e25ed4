import { countDigits } from "./dictation.ts";
import { phrasesOf } from "./phrases.ts";

/**
 * Where a number ends, as far as that can be determined: an amount of money, a time of day, a date, or digits whose
 * count was announced.
 */

const MONEY = /^[$€£¥₹]\s?\d[\d.,]*$|^\d[\d.,]*\s?[$€£¥₹]$/u;
const CLOCK = /^(?:[01]?\d|2[0-4])[:.h][0-5]\d(?:[ap]m)?$/u;
const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}-\d{2}-\d{2})$/u;
const YEAR = /^(?:19|20)\d{2}$/u;
const HOURS = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const MINUTES = "(?:fifteen|thirty|forty five|forty-five)";
const SPOKEN_CLOCK = new RegExp(
  ` (?:(?:at|by|around|about|until|till|before|after) ${HOURS} ${MINUTES}|(?:half|quarter) (?:past|to) ${HOURS})$`,
  "u",
);
/** A year follows these, as well as a month before a day. */
const BEFORE_A_YEAR =
  / (?:in|since|of|until|from|january|february|march|april|may|june|july|august|september|october|november|december)(?: the)?(?: \d{1,2}(?:st|nd|rd|th)?)?$/u;
/** After these, the first of two numbers is no end; after "from" it may be one. */
const TWO_FOLLOW = / between (?:(?!and ).)*$/u;
const TWO_MAY_FOLLOW = / from (?:(?!to |until |till ).)*$/u;
const LENGTH_NAMES: Readonly<Record<string, number>> = {
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const NAMED_LENGTH = /(?:last|final|first) (\w+)(?: (?:digits?|numbers?))? (?:are|is) |(\w+)[ -]digits? /u;
/** Numbers of the same length everywhere: this many digits or more are complete. */
const CUES: readonly (readonly [RegExp, number])[] = [
  [/ zip(?: code)? /u, 5],
  [/ (?:pin|pin code|passcode) /u, 4],
  [/ (?:back of (?:the|my) card|security code|cvv|cvc) /u, 4],
];
const DIGIT_WORDS = phrasesOf("digits");
const DIGIT_GROUP = /^\d[\d-]*$/;
const MARKS_AROUND = /^[^\p{L}\p{N}$€£¥₹]+|[^\p{L}\p{N}$€£¥₹]+$/gu;

/** Whether the number at the end of `text`, split into `words`, is complete or only begun; undefined if unknowable. */
export function numberAtEnd(text: string, words: readonly string[]): "whole" | "begun" | undefined {
  const last = (text.toLowerCase().split(/\s+/u).at(-1) ?? "").replace(MARKS_AROUND, "");
  const line = ` ${words.join(" ")}`;
  if (/\d/u.test(last) ? isWholeWritten(last, line) : SPOKEN_CLOCK.test(line)) {
    if (TWO_FOLLOW.test(line)) return "begun";
    return TWO_MAY_FOLLOW.test(line) ? undefined : "whole";
  }
  return byItsLength(words);
}

function isWholeWritten(last: string, line: string): boolean {
  if (MONEY.test(last) || CLOCK.test(last) || DATE.test(last)) return true;
  return YEAR.test(last) && BEFORE_A_YEAR.test(line.slice(0, line.lastIndexOf(" ")));
}

function byItsLength(words: readonly string[]): "whole" | "begun" | undefined {
  let from = words.length;
  while (from > 0 && isDigits(words[from - 1] as string)) from -= 1;
  const digits = countDigits(words.slice(from));
  if (digits === 0) return undefined;
  const cue = ` ${words.slice(0, from).join(" ")} `;
  const [, whole, named] = NAMED_LENGTH.exec(cue) ?? [];
  const length = lengthNamed(whole ?? named) ?? CUES.find(([pattern]) => pattern.test(cue))?.[1];
  if (length === undefined) return undefined;
  return digits >= length ? "whole" : "begun";
}

function isDigits(word: string): boolean {
  return DIGIT_WORDS.has(word) || DIGIT_GROUP.test(word);
}

function lengthNamed(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  return LENGTH_NAMES[name] ?? (/^\d{1,2}$/u.test(name) ? Number(name) : undefined);
}
