/** Spaces, and what people set between the digits of a number. */
const BETWEEN_DIGITS = /[\s().\-/\u2010-\u2015]+/g;
const DIGITS = /^\+?\d+$/;
/** As long as a number with its country code can be at least: what is shorter may be a part with zeros in it. */
const WHOLE_CHARS = 10;

/**
 * A number, or a part of one, as records have it (`+14155551234`), of how a person wrote it: `+1 (415) 555-1234`,
 * `00 49 170 …`. What is no number stays as it is.
 */
export function numberPart(written: string): string {
  const part = written.replaceAll(BETWEEN_DIGITS, "");
  if (!DIGITS.test(part)) return written;
  return part.startsWith("00") && part.length >= WHOLE_CHARS ? `+${part.slice(2)}` : part;
}
