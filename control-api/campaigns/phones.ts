import { e164Schema } from "@parley/shared/contracts/telephony.ts";

/** What people write between the digits. */
const PUNCTUATION = /[\s().\-/\u00a0\u2010-\u2015]/g;

/** A number as every carrier takes it. Undefined: it is none, or its country is not known. */
export function readPhone(given: string): string | undefined {
  const parsed = e164Schema.safeParse(given.replace(PUNCTUATION, ""));
  return parsed.success ? parsed.data : undefined;
}
