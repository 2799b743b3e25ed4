import type { AccountCarrierName } from "@parley/shared/contracts/phone-carriers.ts";
import type { MediaSerializer } from "./media-serializer.ts";
import { plivoSerializer } from "./plivo.ts";
import { telnyxSerializer } from "./telnyx.ts";
import { twilioSerializer } from "./twilio.ts";
import { vonageSerializer } from "./vonage.ts";

/** Serializers for all supported carriers, by the carrier's name in `/v1/media/<carrier>/…`. */
export const MEDIA_SERIALIZERS: ReadonlyMap<string, MediaSerializer> = new Map(
  Object.entries({
    twilio: twilioSerializer,
    telnyx: telnyxSerializer,
    plivo: plivoSerializer,
    vonage: vonageSerializer,
  } satisfies Record<AccountCarrierName, MediaSerializer>),
);
