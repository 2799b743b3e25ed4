import { jsonOf } from "../callback-body.ts";
import { REMEMBER_TIMED_MS } from "../callback-guard.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import { answerOf, HANG_UP, NOTHING, streamNcco } from "./answer.ts";
import { eventsOf } from "./callbacks.ts";
import { type VonageCredentials, VonageRest } from "./rest.ts";
import { verifyVonage } from "./signature.ts";

/** Vonage Voice with websocket endpoints (developer.vonage.com). Throws `AppError` bad_request for a wrong key. */
export function createVonageCarrier(credentials: VonageCredentials, network: CarrierNetwork): AccountCarrier {
  const rest = new VonageRest(credentials, network);
  return {
    name: "vonage",
    mediaPath: "/v1/media/vonage",
    dial: async (call) => ({ callSid: await rest.createCall(call) }),
    hangUp: (callSid) => rest.hangUp(callSid),
    transfer: (callSid, to) => rest.transfer(callSid, to),
    sendDigits: (callSid, digits) => rest.sendDigits(callSid, digits),
    readCallback: (request) => {
      const once = verifyVonage(credentials, request, network.clock);
      return { once, rememberMs: REMEMBER_TIMED_MS, events: eventsOf(jsonOf(request)) };
    },
    connect: async ({ mediaUrl }) => answerOf(streamNcco(mediaUrl)),
    refuse: async () => HANG_UP,
    acknowledge: () => NOTHING,
    checkAccount: () => rest.readCalls(),
  };
}
