/** Spaces and punctuation that people write between digits. */
const BETWEEN_DIGITS = /[\s().\-/\u2010-\u2015]+/g;
const DIGITS = /^\+?\d+$/;
/** Minimum length of a number with its country code: anything shorter may be a part that contains zeros. */
const WHOLE_CHARS = 10;

/**
 * Normalizes a number, or part of one, from the way people write it (`+1 (415) 555-1234`, `00 49 170 …`) to the form in
 * records (`+14155551234`). Other text stays unchanged.
 */
export function numberPart(written: string): string {
  const part = written.replaceAll(BETWEEN_DIGITS, "");
  if (!DIGITS.test(part)) return written;
  return part.startsWith("00") && part.length >= WHOLE_CHARS ? `+${part.slice(2)}` : part;
}
