import { formOf } from "../callback-body.ts";
import { REMEMBER_UNTIMED_MS } from "../callback-guard.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import { NOTHING, REJECT, refusalXml, roomXml, streamXml, whisperXml } from "./answer.ts";
import { eventsOf } from "./callbacks.ts";
import { whisperedUrl } from "./next-url.ts";
import { type PlivoCredentials, PlivoRest } from "./rest.ts";
import { verifyPlivo } from "./signature.ts";

/** Plivo Voice with audio streams (plivo.com/docs). Plivo asks over HTTP what to do with an answered call. */
export function createPlivoCarrier(credentials: PlivoCredentials, network: CarrierNetwork): AccountCarrier {
  const rest = new PlivoRest(credentials, network);
  return {
    name: "plivo",
    mediaPath: "/v1/media/plivo",
    dial: async (call) => ({ callSid: await rest.createCall(call) }),
    hangUp: (callSid) => rest.hangUp(callSid),
    transferring: { mediaStops: true, rings: false },
    transfer: (callSid, to) => rest.transfer(callSid, to),
    consult: async (to) => ({ callSid: await rest.createCall(to) }),
    whisper: async (_, { whisper, callbackUrl }) => whisperXml(whisper, whisperedUrl(callbackUrl)),
    join: (callSid, to) => rest.join(callSid, to),
    joinAnswer: roomXml,
    readCallback: (request) => {
      const once = verifyPlivo(credentials.authToken, request);
      return { once, rememberMs: REMEMBER_UNTIMED_MS, events: eventsOf(formOf(request), request.url) };
    },
    connect: async ({ mediaUrl }) => streamXml(mediaUrl),
    refuse: async (_, words) => (words === undefined ? REJECT : refusalXml(words)),
    acknowledge: () => NOTHING,
    checkAccount: () => rest.readAccount(),
  };
}
