import { phrasesOf } from "./phrases.ts";

const DIGIT_WORDS = phrasesOf("digits");
const NUMBER_CUES = phrasesOf("numberCues");
/** A telephone number without its prefix has at least this many digits; below that, more may follow. */
const FEW_DIGITS = 7;
const MANY_DIGITS = 12;
const MANY_LETTERS = 6;
const DIGIT_GROUP = /^\d[\d-]*$/;
const SPELLED_LETTER = /^\p{L}$/u;
const OPEN_EMAIL = /@(?:[^\s.@]+(?:\.[^\s.@]+)*\.?)?$|\bat \S+(?: dot)?$/u;
const WHOLE_EMAIL = /@[^\s@]+\.\p{L}{2,}$/u;
const SPOKEN_EMAIL = / at \S+ dot \p{L}{2,}$/u;
const EMAIL_CUE = /e-?mail|correo|courriel|ईमेल/u;

/** Counts the digits in `words`, including spoken and grouped ones: "five five 512" has five. */
export function countDigits(words: readonly string[]): number {
  return words.reduce((sum, word) => {
    return sum + (DIGIT_WORDS.has(word) ? 1 : word.replace(/\D/g, "").length);
  }, 0);
}

/**
 * Describes what is being dictated at the end of `words`: "number 5" for a row of five digits, "spelling 3" for three
 * letters, "email open". Empty if nothing is. A single digit ("I'd like two") is an amount.
 */
export function describeDictation(words: readonly string[]): string[] {
  const groups = trailing(words, (word) => DIGIT_WORDS.has(word) || DIGIT_GROUP.test(word));
  const digits = countDigits(groups);
  const letters = trailing(words, (word) => SPELLED_LETTER.test(word)).length;
  const isNumber = digits >= 3 && (groups.length >= 3 || digits >= FEW_DIGITS || words.some(isNumberCue));
  const signs: string[] = [];
  if (isNumber) signs.push(`number ${Math.min(digits, MANY_DIGITS)}`);
  if (digits > 0 && digits < 3 && words.some(isNumberCue)) signs.push("number begun");
  // In some languages a single letter is a word; two in a row are not.
  if (letters >= 2) signs.push(`spelling ${Math.min(letters, MANY_LETTERS)}`);
  const email = describeEmail(words);
  return email === undefined ? signs : [...signs, `email ${email}`];
}

function isNumberCue(word: string): boolean {
  return NUMBER_CUES.has(word);
}

function describeEmail(words: readonly string[]): "whole" | "open" | undefined {
  const text = words.join(" ");
  if (WHOLE_EMAIL.test(text)) return "whole";
  if (!(text.includes("@") || EMAIL_CUE.test(text) || SPOKEN_EMAIL.test(text))) return undefined;
  if (OPEN_EMAIL.test(text)) return "open";
  return SPOKEN_EMAIL.test(text) ? "whole" : undefined;
}

function trailing(words: readonly string[], belongs: (word: string) => boolean): readonly string[] {
  let from = words.length;
  while (from > 0 && belongs(words[from - 1] as string)) from--;
  return words.slice(from);
}
