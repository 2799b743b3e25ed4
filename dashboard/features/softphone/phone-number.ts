import parsePhoneNumber, { type CountryCode } from "libphonenumber-js/min";

/** What somebody typed or pasted, as a number to call; or what is wrong with it, in words. */
export type ReadNumber =
  | {
      readonly e164: string;
      /** As people of its country write it, with the country's code. */
      readonly shown: string;
      /** Of "ext. 12": it cannot be dialed, only pressed once somebody has answered. */
      readonly extension: string | undefined;
    }
  | { readonly problem: string };

const NO_COUNTRY = "Begin with + and the country code, as in +1 202 555 0123.";

/**
 * Reads a number with blanks, brackets, dashes, `tel:` or 00 in front; without a country code it is one of the country
 * of `ownNumber` (E.164), from which it is called.
 */
export function readNumber(text: string, ownNumber: string | undefined): ReadNumber {
  const typed = text.trim();
  if (typed === "") return { problem: "Type a number to call." };
  const number = parse(withPlus(typed), ownNumber);
  if (number === undefined)
    return { problem: /^\D*[+0]/.test(typed) || ownNumber ? "This is not a telephone number." : NO_COUNTRY };
  if (!number.isPossible())
    return {
      problem: `${number.formatInternational()} has too few or too many digits for a telephone number.`,
    };
  return { e164: number.number, shown: number.formatInternational(), extension: number.ext };
}

/** A number of the API's (E.164) as people write it; what is none stays as it is. */
export function shownNumber(e164: string): string {
  return parsePhoneNumber(e164)?.formatInternational() ?? e164;
}

function parse(typed: string, ownNumber: string | undefined) {
  const country: CountryCode | undefined = ownNumber === undefined ? undefined : countryOf(ownNumber);
  return parsePhoneNumber(typed, country === undefined ? {} : { defaultCountry: country });
}

/** Of a country code that several share, the first of them: national numbers are read alike. */
function countryOf(e164: string): CountryCode | undefined {
  const number = parsePhoneNumber(e164);
  return number?.country ?? number?.getPossibleCountries()[0];
}

/** 00 is how most of the world dials the plus; a full-width plus comes from pasted tables. */
function withPlus(typed: string): string {
  return typed
    .replace(/^tel:/i, "")
    .replace(/^\uFF0B/, "+")
    .replace(/^\(?00\)?/, "+");
}
