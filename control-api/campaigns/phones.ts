import { e164Schema } from "@parley/shared/contracts/telephony.ts";

/** Punctuation people write between digits. */
const PUNCTUATION = /[\s().\-/\u00a0\u2010-\u2015]/g;

/** Normalizes a number for any carrier. Returns undefined if it is not one or has no known country. */
export function readPhone(given: string): string | undefined {
  const parsed = e164Schema.safeParse(given.replace(PUNCTUATION, ""));
  return parsed.success ? parsed.data : undefined;
}
