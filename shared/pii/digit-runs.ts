/** A spoken or written digit, and its position. */
interface SaidDigit {
  readonly digit: string;
  readonly start: number;
  readonly end: number;
  /** Follows the previous digit with nothing in between. */
  readonly isJoined: boolean;
}

/** Digits with only spaces, punctuation, and fillers between them. */
export interface DigitRun {
  readonly digits: readonly SaidDigit[];
  /** Preceded by a `+` or the word for it. */
  readonly hasPlus: boolean;
  /** Nothing that would end the run follows in the text. */
  readonly isOpen: boolean;
}

const WORDS: Readonly<Record<string, string>> = {
  zero: "0",
  oh: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
};
const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3 };
const FILLERS = new Set(["and", "then", "uh", "um", "er", "dash", "hyphen", "space", "dot", "point", "next"]);
/** Maximum gap between two digits of one number; a colon or a letter ends the number. */
const MAX_GAP = 4;
/** The length of a card number; an open run is examined no further back. */
const LONGEST_NUMBER = 19;
const TOKEN = /\d|[\p{L}'’]+|[\s().,\-–—/+]+|[\s\S]/gu;
const SEPARATOR = /^[\s().,\-–—/+]+$/u;

/** Every run of digits in a text, as figures or as English words. Linear in the text's length. */
export function digitRuns(text: string): DigitRun[] {
  const runs: DigitRun[] = [];
  let digits: SaidDigit[] = [];
  let hasPlus = false;
  let plusBefore = false;
  let times = 1;
  const finish = (isOpen: boolean): void => {
    if (digits.length > 0) runs.push({ digits, hasPlus, isOpen });
    digits = [];
    times = 1;
  };
  for (const { 0: token, index: start } of normalized(text).matchAll(TOKEN)) {
    const word = token.toLowerCase();
    const digit = /^\d$/.test(token) ? token : WORDS[word];
    const end = start + token.length;
    if (digit !== undefined) {
      if (digits.length === 0) hasPlus = plusBefore;
      const isJoined = token === digit && digits.at(-1)?.end === start;
      for (let i = 0; i < times; i += 1) digits.push({ digit, start, end, isJoined: isJoined || i > 0 });
      times = 1;
    } else if (TIMES[word] !== undefined) {
      times = TIMES[word];
    } else if (word === "plus" || (SEPARATOR.test(token) && token.includes("+"))) {
      finish(false);
      plusBefore = true;
      continue;
    } else if (!isPassedOver(token, word)) {
      finish(false);
    }
    if (digit !== undefined || !SEPARATOR.test(token)) plusBefore = false;
  }
  finish(true);
  return runs;
}

function isPassedOver(token: string, word: string): boolean {
  if (SEPARATOR.test(token)) return token.length <= MAX_GAP;
  return FILLERS.has(word);
}

/** Replaces digits of other scripts and full-width digits with ASCII ones; keeps the length. */
function normalized(text: string): string {
  return text.replace(/[\uFF10-\uFF19\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]/g, (digit) =>
    String((digit.charCodeAt(0) - zeroOf(digit.charCodeAt(0))) % 10),
  );
}

function zeroOf(code: number): number {
  return [0xff10, 0x0966, 0x06f0, 0x0660].find((zero) => code >= zero) ?? 0;
}

/** The digits of a run's window, from `from` up to but excluding `to`. */
export function textOf(run: DigitRun, from: number, to: number): string {
  return run.digits
    .slice(from, to)
    .map(({ digit }) => digit)
    .join("");
}

/** Whether a number may begin or end here: not in the middle of digits written together. */
export function isEdge(run: DigitRun, index: number): boolean {
  return !run.digits[index]?.isJoined;
}

/** The part of the text that holds a window of a run. */
export function spanOf(run: DigitRun, from: number, to: number): { start: number; end: number } {
  return { start: run.digits[from]?.start ?? 0, end: run.digits[to - 1]?.end ?? 0 };
}

/** Where the first window of the open run that `mayContinue` accepts begins. */
export function openFrom(text: string, mayContinue: (digits: string, run: DigitRun) => boolean): number {
  const run = digitRuns(text).at(-1);
  if (!run?.isOpen) return text.length;
  for (let from = Math.max(0, run.digits.length - LONGEST_NUMBER); from < run.digits.length; from += 1) {
    if (isEdge(run, from) && mayContinue(textOf(run, from, run.digits.length), run)) {
      return run.digits[from]?.start ?? 0;
    }
  }
  return text.length;
}
