import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js";
import { digitRuns, isEdge, openFrom, spanOf, textOf } from "./digit-runs.ts";
import type { Finder } from "./spans.ts";

/** E.164 allows at most 15 digits; fewer than seven are no subscriber's number. */
const MIN_DIGITS = 7;
const MAX_DIGITS = 15;
const OPEN_MIN_DIGITS = 3;
/** A look-up takes a tenth of a millisecond; in a text with more candidates than this, all are masked. */
const MAX_LOOK_UPS = 100;

/** Finds valid telephone numbers of `country`'s plan, or of any plan with a plus, as figures or spoken as words. */
export function phoneNumbers(mask: string, country: string): Finder {
  const home: CountryCode = isSupportedCountry(country) ? country : "US";
  let lookUps = 0;
  const isNumber = (digits: string, hasPlus: boolean): boolean => {
    lookUps += 1;
    if (lookUps > MAX_LOOK_UPS) return true;
    const parsed = parsePhoneNumberFromString(hasPlus ? `+${digits}` : digits, home);
    return parsed?.isValid() === true;
  };
  return {
    mask,
    find: (text) => {
      lookUps = 0;
      return digitRuns(text).flatMap((run) => {
        const found: { start: number; end: number }[] = [];
        for (let from = 0; from + MIN_DIGITS <= run.digits.length; from += 1) {
          if (!isEdge(run, from)) continue;
          const hasPlus = run.hasPlus && from === 0;
          for (let to = Math.min(run.digits.length, from + MAX_DIGITS); to >= from + MIN_DIGITS; to -= 1) {
            if (!isEdge(run, to) || !isNumber(textOf(run, from, to), hasPlus)) continue;
            found.push(spanOf(run, from, to));
            from = to - 1;
            break;
          }
        }
        return found;
      });
    },
    openFrom: (text) => openFrom(text, ({ length }) => length >= OPEN_MIN_DIGITS && length < MAX_DIGITS),
  };
}
