import { randomUUID } from "node:crypto";
import type { PhoneDialect, PhoneIds } from "./dialect.ts";
import { createPlivoDialect } from "./plivo.ts";
import { createTelnyxDialect } from "./telnyx.ts";
import { createTwilioDialect } from "./twilio.ts";
import { createVonageDialect } from "./vonage.ts";

/** The fakes by their carriers' names. */
export const PHONE_DIALECTS: ReadonlyMap<string, (ids: PhoneIds) => PhoneDialect> = new Map([
  ["twilio", createTwilioDialect],
  ["telnyx", (ids: PhoneIds) => createTelnyxDialect(ids)],
  ["plivo", createPlivoDialect],
  ["vonage", createVonageDialect],
]);

export function newPhoneIds(): PhoneIds {
  return { callSid: `CA${randomUUID()}`, streamId: `MZ${randomUUID()}` };
}
