import { type DigitRun, digitRuns, isEdge, openFrom, spanOf, textOf } from "./digit-runs.ts";
import type { Finder } from "./spans.ts";

const SSN_DIGITS = 9;
/** How far before nine digits the words that identify them may stand. */
const ABOUT_CHARS = 60;
const ABOUT_SSN = /\b(?:ssn|social(?:\s+security)?|tax(?:payer)?\s+id)\b/i;
/** Separates letters and digits: at most one space, dash, or dot. */
const GAP = "[\\s.-]?";
const NINO = new RegExp(
  `\\b(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z]${GAP}[A-CEGHJ-NPR-TW-Z]${`${GAP}\\d`.repeat(6)}${GAP}[A-D]\\b`,
  "gi",
);
const DNI = new RegExp(`\\b(?:[XYZ]${GAP})?\\d(?:${GAP}\\d){6,7}${GAP}[A-Z]\\b`, "gi");
const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const OPEN_LETTERS = /\b[A-Z][\s.-]?[A-Z]?(?:[\s.-]?\d){0,8}[\s.,]{0,3}$/i;
const TAIL = 40;

/**
 * Finds national ids: US social security numbers (3-2-4 digits, or nine digits beside the words), UK national
 * insurance numbers, and Spanish DNI and NIE with a valid check letter.
 */
export function nationalIds(mask: string): Finder {
  return {
    mask,
    find: (text) => [...socialSecurity(text), ...matches(text, NINO), ...matches(text, DNI, isDni)],
    openFrom: (text) => {
      const from = Math.max(0, text.length - TAIL);
      const open = OPEN_LETTERS.exec(text.slice(from));
      const hasDigits = open !== null && /\d/.test(open[0]);
      const letters = hasDigits ? from + open.index : text.length;
      return Math.min(
        letters,
        openFrom(text, ({ length }) => length >= 3 && length < SSN_DIGITS),
      );
    },
  };
}

function matches(text: string, pattern: RegExp, isRight: (match: string) => boolean = () => true) {
  return [...text.matchAll(pattern)]
    .filter(([match]) => isRight(match))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}

function socialSecurity(text: string): { start: number; end: number }[] {
  return digitRuns(text).flatMap((run) => {
    const found: { start: number; end: number }[] = [];
    for (let from = 0; from + SSN_DIGITS <= run.digits.length; from += 1) {
      const to = from + SSN_DIGITS;
      if (!isEdge(run, from) || !isEdge(run, to) || !isSsn(textOf(run, from, to))) continue;
      const span = spanOf(run, from, to);
      const before = text.slice(Math.max(0, span.start - ABOUT_CHARS), span.start);
      if (isGrouped(run, from) || ABOUT_SSN.test(before)) found.push(span);
    }
    return found;
  });
}

/** Written or spoken as three, two, and four digits. */
function isGrouped(run: DigitRun, from: number): boolean {
  return [0, 3, 5].every((offset) => isEdge(run, from + offset));
}

function isSsn(digits: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/.test(digits);
}

function isDni(match: string): boolean {
  const letters = match.toUpperCase().replaceAll(/[\s.-]/g, "");
  const number = letters.slice(0, -1).replace(/^[XYZ]/, (first) => String("XYZ".indexOf(first)));
  return number.length === 8 && DNI_LETTERS[Number(number) % 23] === letters.at(-1);
}
