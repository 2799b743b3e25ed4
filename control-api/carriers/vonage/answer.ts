import type { CarrierAnswer } from "../carrier.ts";
import { withoutPlus } from "../phone-numbers.ts";

/** NCCO: what Vonage does with a call next, as a list of actions. */

export function streamNcco(mediaUrl: string): readonly object[] {
  return [
    {
      action: "connect",
      endpoint: [{ type: "websocket", uri: mediaUrl, "content-type": "audio/l16;rate=16000" }],
    },
  ];
}

export function dialNcco(to: string, from: string): readonly object[] {
  return [
    { action: "connect", from: withoutPlus(from), endpoint: [{ type: "phone", number: withoutPlus(to) }] },
  ];
}

export function answerOf(ncco: readonly object[]): CarrierAnswer {
  return { contentType: "application/json", body: JSON.stringify(ncco) };
}

/** A call with nothing left to do is over. */
export const HANG_UP = answerOf([]);
/** Empty: an NCCO here would take the place of the one that runs. */
export const NOTHING: CarrierAnswer = { contentType: "text/plain", body: "" };
