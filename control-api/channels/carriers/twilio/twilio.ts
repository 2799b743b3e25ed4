import { formOf } from "../callback-body.ts";
import { assertRecent, REMEMBER_TIMED_MS, REMEMBER_UNTIMED_MS } from "../callback-guard.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import {
  answerOf,
  dialTwiml,
  NOTHING,
  REJECT,
  refusalTwiml,
  roomTwiml,
  streamTwiml,
  whisperTwiml,
} from "./answer.ts";
import { eventsOf, signedAtMs, whisperedUrl } from "./callbacks.ts";
import { type TwilioCredentials, TwilioRest } from "./rest.ts";
import { verifyTwilio } from "./signature.ts";

/** Twilio Programmable Voice with Media Streams (twilio.com/docs/voice). */
export function createTwilioCarrier(credentials: TwilioCredentials, network: CarrierNetwork): AccountCarrier {
  const rest = new TwilioRest(credentials, network);
  return {
    name: "twilio",
    mediaPath: "/v1/media/twilio",
    dial: async (call) => ({ callSid: await rest.createCall(call) }),
    hangUp: (callSid) => rest.endCall(callSid),
    transferring: { mediaStops: true, rings: false },
    transfer: (callSid, to) => rest.replaceTwiml(callSid, dialTwiml(to)),
    consult: async (to) => {
      const twiml = whisperTwiml(to.whisper, whisperedUrl(to.callbackUrl));
      return { callSid: await rest.consult(to, twiml) };
    },
    whisper: async () => NOTHING,
    join: (callSid, { transferId }) => rest.replaceTwiml(callSid, roomTwiml(transferId)),
    joinAnswer: (transferId) => answerOf(roomTwiml(transferId)),
    readCallback: (request) => {
      const once = verifyTwilio(credentials.authToken, request);
      const form = formOf(request);
      const atMs = signedAtMs(form);
      if (atMs !== undefined) assertRecent(atMs, network.clock);
      const rememberMs = atMs === undefined ? REMEMBER_UNTIMED_MS : REMEMBER_TIMED_MS;
      // Status callbacks carry a time; those that await an answer do not.
      return { once, rememberMs, isRepeated: atMs === undefined, events: eventsOf(form, request.url) };
    },
    connect: async ({ mediaUrl }) => answerOf(streamTwiml(mediaUrl)),
    refuse: async (_, words) => (words === undefined ? REJECT : answerOf(refusalTwiml(words))),
    acknowledge: () => NOTHING,
    checkAccount: () => rest.readAccount(),
  };
}
