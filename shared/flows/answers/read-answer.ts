import { consentIn } from "../../consent.ts";
import type { AnswerType } from "../../contracts/flows/answers.ts";
import { emailIn, phoneIn } from "./addresses.ts";
import { dateIn } from "./dates.ts";
import { digitsIn, numberIn, ordinalIn } from "./numbers.ts";
import { saysWords } from "./words.ts";

/** Pressed keys, as a caller's turn reports them. */
const KEYS = /^DTMF:\s*([0-9A-D*#]+)$/i;

/** "Press 1 for yes, 2 for no." */
const YES_NO_KEYS: ReadonlyMap<string, string> = new Map([
  ["1", "yes"],
  ["2", "no"],
]);

/** The keys pressed in a turn; undefined when it was spoken or typed. */
export function keysIn(text: string): string | undefined {
  return KEYS.exec(text.trim())?.[1]?.replace(/#$/, "");
}

/**
 * The value with which a caller's words answer a question; undefined when they do not. Reads figures and words, in
 * English and German; `today` is the call's day, `YYYY-MM-DD`. No model is asked.
 */
export function readAnswer(said: string, answer: AnswerType, today: string): string | undefined {
  const text = keysIn(said) ?? said.trim();
  switch (answer.type) {
    case "text":
      return text === "" ? undefined : text.slice(0, answer.maxChars);
    case "choice":
      return choiceIn(text, answer.options);
    case "number":
      return within(numberIn(text), answer);
    case "date":
      return between(dateIn(text, today), answer, today);
    case "email":
      return emailIn(text);
    case "phone":
      return phoneIn(text);
    case "yes_no": {
      if (keysIn(said) !== undefined) return YES_NO_KEYS.get(text);
      const consent = consentIn(text);
      return consent === "unclear" ? undefined : consent;
    }
  }
}

type Options = Extract<AnswerType, { type: "choice" }>["options"];

/** The option that is named ("dark blue" does not also name "blue"); else the one whose position or key is. */
function choiceIn(text: string, options: Options): string | undefined {
  const named = options.flatMap(({ value, synonyms }) =>
    [value, ...synonyms].filter((words) => saysWords(text, words)).map((words) => ({ value, words })),
  );
  const meant = named.filter(
    ({ words }) => !named.some((other) => other.words.length > words.length && saysWords(other.words, words)),
  );
  const [first, ...others] = new Set(meant.map(({ value }) => value));
  if (first !== undefined) return others.length === 0 ? first : undefined;
  const isShort = /^\W*(?:number |option |nummer )?\w+\W*$/i.test(text);
  const place = ordinalIn(text) ?? (isShort ? numberIn(text) : undefined);
  return place === undefined ? undefined : options[place - 1]?.value;
}

function within(
  value: number | undefined,
  {
    min = Number.NEGATIVE_INFINITY,
    max = Number.POSITIVE_INFINITY,
    whole,
  }: Extract<AnswerType, { type: "number" }>,
): string | undefined {
  if (value === undefined || value < min || value > max) return undefined;
  return whole && !Number.isInteger(value) ? undefined : String(value);
}

function between(
  day: string | undefined,
  { earliest = "", latest = "9999", future }: Extract<AnswerType, { type: "date" }>,
  today: string,
): string | undefined {
  if (day === undefined || day < earliest || day > latest) return undefined;
  return future && day < today ? undefined : day;
}

/** Digits pressed or spoken one by one; undefined when they are too few or too many. */
export function readDigits(
  said: string,
  { minDigits, maxDigits }: { readonly minDigits: number; readonly maxDigits: number },
): string | undefined {
  const digits = keysIn(said) ?? digitsIn(said);
  return digits.length >= minDigits && digits.length <= maxDigits ? digits : undefined;
}
