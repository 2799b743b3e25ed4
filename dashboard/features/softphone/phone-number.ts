import parsePhoneNumber, { type CountryCode } from "libphonenumber-js/min";
import { phoneText } from "../../ui/phone-text.ts";

/** Typed or pasted text as a number to call, or its problem in words. */
export type ReadNumber =
  | {
      readonly e164: string;
      /** From "ext. 12": cannot be dialed, only keyed in after the call is answered. */
      readonly extension: string | undefined;
    }
  | { readonly problem: string };

const NO_COUNTRY = "Begin with + and the country code, as in +1 202 555 0123.";

/**
 * Parses a number with blanks, brackets, dashes, `tel:` or a leading 00; without a country code, it belongs
 * to the country of `ownNumber` (E.164), the calling number.
 */
export function readNumber(text: string, ownNumber: string | undefined): ReadNumber {
  const typed = text.trim();
  if (typed === "") return { problem: "Type a number to call." };
  const number = parse(withPlus(typed), ownNumber);
  if (number === undefined)
    return { problem: /^\D*[+0]/.test(typed) || ownNumber ? "This is not a telephone number." : NO_COUNTRY };
  if (!number.isPossible())
    return { problem: `${phoneText(number.number)} has too few or too many digits for a telephone number.` };
  return { e164: number.number, extension: number.ext };
}

function parse(typed: string, ownNumber: string | undefined) {
  const country: CountryCode | undefined = ownNumber === undefined ? undefined : countryOf(ownNumber);
  return parsePhoneNumber(typed, country === undefined ? {} : { defaultCountry: country });
}

/** For a country code shared by several countries, the first: their national numbers parse alike. */
function countryOf(e164: string): CountryCode | undefined {
  const number = parsePhoneNumber(e164);
  return number?.country ?? number?.getPossibleCountries()[0];
}

/** Most of the world dials 00 for the plus; a full-width plus comes from pasted tables. */
function withPlus(typed: string): string {
  return typed
    .replace(/^tel:/i, "")
    .replace(/^\uFF0B/, "+")
    .replace(/^\(?00\)?/, "+");
}
