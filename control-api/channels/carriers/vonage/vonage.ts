import { jsonOf } from "../callback-body.ts";
import { REMEMBER_TIMED_MS } from "../callback-guard.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import {
  answerOf,
  dialNcco,
  HANG_UP,
  NOTHING,
  refusalNcco,
  roomNcco,
  streamNcco,
  whisperNcco,
} from "./answer.ts";
import { eventsOf, transferUrl } from "./callbacks.ts";
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
    transferring: { mediaStops: true, rings: false },
    transfer: (callSid, to) => rest.replaceNcco(callSid, dialNcco(to, transferUrl(to.callbackUrl, callSid))),
    consult: async (to) => ({
      callSid: await rest.consult(to, whisperNcco(to.whisper, to.callbackUrl)),
    }),
    whisper: async () => NOTHING,
    join: (callSid, { transferId }) => rest.replaceNcco(callSid, roomNcco(transferId)),
    joinAnswer: (transferId) => answerOf(roomNcco(transferId)),
    readCallback: (request) => {
      const once = verifyVonage(credentials, request, network.clock);
      return { once, rememberMs: REMEMBER_TIMED_MS, events: eventsOf(jsonOf(request), request.url) };
    },
    connect: async ({ mediaUrl }) => answerOf(streamNcco(mediaUrl)),
    refuse: async (_, words) => (words === undefined ? HANG_UP : answerOf(refusalNcco(words))),
    acknowledge: () => NOTHING,
    checkAccount: () => rest.readCalls(),
  };
}
