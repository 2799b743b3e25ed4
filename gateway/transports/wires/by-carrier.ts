import { plivoWire } from "./plivo.ts";
import { telnyxWire } from "./telnyx.ts";
import { twilioWire } from "./twilio.ts";
import { vonageWire } from "./vonage.ts";
import type { CarrierWire } from "./wire.ts";

/** Every carrier whose media protocol this gateway speaks, by its name in `/v1/media/<carrier>/…`. */
export const CARRIER_WIRES: ReadonlyMap<string, CarrierWire> = new Map([
  ["twilio", twilioWire],
  ["telnyx", telnyxWire],
  ["plivo", plivoWire],
  ["vonage", vonageWire],
]);
