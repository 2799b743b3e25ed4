import { AppError } from "@parley/shared/errors.ts";
import { jsonOf } from "../callback-body.ts";
import { REMEMBER_TIMED_MS } from "../callback-guard.ts";
import type { AccountCarrier } from "../carrier.ts";
import type { CarrierNetwork } from "../carrier-api.ts";
import { NOTHING } from "./answer.ts";
import { eventsOf } from "./callbacks.ts";
import { type TelnyxCredentials, TelnyxRest } from "./rest.ts";
import { readPublicKey, verifyTelnyx } from "./signature.ts";

/** Telnyx Call Control with media streaming (developers.telnyx.com). Throws `AppError` bad_request for a wrong key. */
export function createTelnyxCarrier(credentials: TelnyxCredentials, network: CarrierNetwork): AccountCarrier {
  const rest = new TelnyxRest(credentials, network);
  const publicKey = readPublicKey(credentials.publicKey);
  return {
    name: "telnyx",
    mediaPath: "/v1/media/telnyx",
    dial: async (call) => ({ callSid: await rest.createCall(call) }),
    hangUp: (callSid) => rest.hangUp(callSid),
    // The call stays ours until somebody answers: Telnyx mixes its own ringback tone into it.
    transferring: { mediaStops: false, rings: false },
    transfer: (callSid, to) => rest.transfer(callSid, to),
    consult: async (to) => ({ callSid: await rest.consult(to) }),
    whisper: async (targetSid, { whisper: words, transferId: id }) => {
      await rest.speak(targetSid, { words, id });
      return NOTHING;
    },
    join: (callSid, to) => rest.bridge(callSid, to),
    joinAnswer: () => NOTHING,
    stopMedia: async (callSid) => {
      await rest.stopStream(callSid).catch((error: unknown) => {
        // A stream that has already stopped need not be stopped.
        const isStopped = error instanceof AppError && ["not_found", "bad_request"].includes(error.code);
        if (!isStopped) throw error;
      });
    },
    readCallback: (request) => {
      const once = verifyTelnyx(publicKey, request, network.clock);
      return { once, rememberMs: REMEMBER_TIMED_MS, events: eventsOf(jsonOf(request)) };
    },
    connect: async ({ callSid, mediaUrl }) => {
      await rest.answer(callSid, mediaUrl);
      return NOTHING;
    },
    refuse: async (callSid, words) => {
      await (words === undefined ? rest.reject(callSid) : rest.answerToExplain(callSid, words));
      return NOTHING;
    },
    explain: (callSid, words) => rest.speak(callSid, { words, id: callSid }),
    acknowledge: () => NOTHING,
    checkAccount: () => rest.readApplication(),
  };
}
