import { e164Schema } from "@parley/shared/contracts/telephony.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js";

/** Punctuation people write between digits. */
const PUNCTUATION = /[\s().\-/\u00a0\u2010-\u2015]/g;

/** Normalizes a number for any carrier. Returns undefined if it is not one or has no known country. */
export function readPhone(given: string): string | undefined {
  const parsed = e164Schema.safeParse(given.replace(PUNCTUATION, ""));
  return parsed.success ? dialable(parsed.data) : undefined;
}

/**
 * The number in its only spelling. Many write the zero that is dialed inside of their country, as in +49 (0) 30 1234567:
 * no carrier dials it after the country's code, and a list would not know the number again.
 */
export function dialable(number: string): string {
  const known = parsePhoneNumberFromString(number);
  return known?.isValid() ? known.number : number;
}

/** The ways in which a list may have the number: versions before this one kept the zero of its country, too. */
export function spellingsOf(number: string): string[] {
  const known = parsePhoneNumberFromString(number);
  if (!known?.isValid()) return [number];
  return [...new Set([number, known.number, `+${known.countryCallingCode}0${known.nationalNumber}`])];
}
