import { digitRuns, isEdge, openFrom, spanOf, textOf } from "./digit-runs.ts";
import type { Finder } from "./spans.ts";

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Fewer digits at the end of a message count as something else: a year, an amount. */
const OPEN_MIN_DIGITS = 4;

/**
 * Finds card numbers: 13 to 19 digits with the prefix of a card scheme (ISO/IEC 7812) and a valid check digit (Luhn),
 * written in any grouping or spoken as words.
 */
export function cardNumbers(mask: string): Finder {
  return {
    mask,
    find: (text) =>
      digitRuns(text).flatMap((run) => {
        const found: { start: number; end: number }[] = [];
        for (let from = 0; from + MIN_DIGITS <= run.digits.length; from += 1) {
          if (!isEdge(run, from)) continue;
          for (let to = Math.min(run.digits.length, from + MAX_DIGITS); to >= from + MIN_DIGITS; to -= 1) {
            if (!isEdge(run, to) || !isCard(textOf(run, from, to))) continue;
            found.push(spanOf(run, from, to));
            break;
          }
        }
        return found;
      }),
    openFrom: (text) =>
      openFrom(
        text,
        (digits) => digits.length >= OPEN_MIN_DIGITS && digits.length < MAX_DIGITS && hasScheme(digits),
      ),
  };
}

function isCard(digits: string): boolean {
  return hasScheme(digits) && hasLuhn(digits) && new Set(digits).size > 1;
}

/** Visa, Mastercard, American Express, Discover, UnionPay, Diners, JCB, Maestro. */
function hasScheme(digits: string): boolean {
  const four = Number(digits.slice(0, 4));
  return /^(4|5[0-9]|3[04-9]|6)/.test(digits) || (four >= 2_221 && four <= 2_720);
}

function hasLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
