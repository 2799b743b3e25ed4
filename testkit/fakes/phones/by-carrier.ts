import { randomUUID } from "node:crypto";
import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { PhoneDialect, PhoneIds } from "./dialect.ts";
import { createPlivoDialect } from "./plivo.ts";
import { createTelnyxDialect } from "./telnyx.ts";
import { createTwilioDialect } from "./twilio.ts";
import { createVonageDialect } from "./vonage.ts";

type CreateDialect = (ids: PhoneIds) => PhoneDialect;

/** The fakes by carrier name. */
export const PHONE_DIALECTS: ReadonlyMap<string, CreateDialect> = new Map(
  Object.entries({
    twilio: createTwilioDialect,
    telnyx: (ids) => createTelnyxDialect(ids),
    plivo: createPlivoDialect,
    vonage: createVonageDialect,
  } satisfies Record<AccountCarrierName, CreateDialect>),
);

export function newPhoneIds(): PhoneIds {
  return { callSid: `CA${randomUUID()}`, streamId: `MZ${randomUUID()}` };
}
