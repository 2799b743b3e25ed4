import { phrasesOf } from "./phrases.ts";

const DIGIT_WORDS = phrasesOf("digits");
const NUMBER_CUES = phrasesOf("numberCues");
/** Fewer digits than a telephone number without its prefix has: more may follow. */
const FEW_DIGITS = 7;
const DIGIT_GROUP = /^\d{1,6}$/;
const SPELLED_LETTER = /^\p{L}$/u;
const OPEN_EMAIL = /@(?:[^\s.@]+(?:\.[^\s.@]+)*\.?)?$|\bat \S+(?: dot)?$/u;
const WHOLE_EMAIL = /@[^\s@]+\.\p{L}{2,}$/u;
const EMAIL_CUE = /e-?mail|correo|courriel|ईमेल/u;

/** Digits in `words`, spoken ones and grouped ones: "five five 512" has five. */
function countDigits(words: readonly string[]): number {
  return words.reduce((sum, word) => {
    return sum + (DIGIT_WORDS.has(word) ? 1 : word.replace(/\D/g, "").length);
  }, 0);
}

/** True while fewer digits were said than what is asked for usually has. */
export function hasFewDigits(words: readonly string[]): boolean {
  return countDigits(words) < FEW_DIGITS;
}

/** True when `words` end inside something dictated: a number, an e-mail address, a spelled name. */
export function isDictating(words: readonly string[]): boolean {
  return endsInsideNumber(words) || endsInsideSpelling(words) || endsInsideEmail(words);
}

/** "five five five", "my number is 555"; one digit alone ("I'd like two") is an amount. */
function endsInsideNumber(words: readonly string[]): boolean {
  const groups = trailing(words, (word) => DIGIT_WORDS.has(word) || DIGIT_GROUP.test(word));
  const digits = countDigits(groups);
  if (digits < 3 || digits >= FEW_DIGITS) return false;
  return groups.length >= 3 || words.some((word) => NUMBER_CUES.has(word));
}

/** "S M I T": a single letter is a word of its own in some languages, two in a row are not. */
function endsInsideSpelling(words: readonly string[]): boolean {
  return trailing(words, (word) => SPELLED_LETTER.test(word)).length >= 2;
}

function endsInsideEmail(words: readonly string[]): boolean {
  const text = words.join(" ");
  if (WHOLE_EMAIL.test(text) || !(text.includes("@") || EMAIL_CUE.test(text))) return false;
  return OPEN_EMAIL.test(text);
}

function trailing(words: readonly string[], belongs: (word: string) => boolean): readonly string[] {
  let from = words.length;
  while (from > 0 && belongs(words[from - 1] as string)) from--;
  return words.slice(from);
}
