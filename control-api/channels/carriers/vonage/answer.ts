import type { CarrierAnswer, Transfer } from "../carrier.ts";
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

/** Synchronous: where nobody answers, the event is answered with what comes next (Vonage's "fallback NCCO"). */
export function dialNcco({ to, from, ringTimeoutSecs }: Transfer, eventUrl: string): readonly object[] {
  return [
    {
      action: "connect",
      from: withoutPlus(from),
      timeout: String(ringTimeoutSecs),
      eventType: "synchronous",
      eventUrl: [eventUrl],
      eventMethod: "POST",
      endpoint: [{ type: "phone", number: withoutPlus(to) }],
    },
  ];
}

/** What `notify` posts once the whisper before it was heard. */
export const WHISPERED = { parley: "briefed" } as const;

/** Says something, and asks how to go on. */
export function whisperNcco(whisper: string, eventUrl: string): readonly object[] {
  return [
    { action: "talk", text: whisper },
    { action: "notify", payload: WHISPERED, eventUrl: [eventUrl], eventMethod: "POST" },
  ];
}

/** The room that ends with the first of two who leaves it. */
export function roomNcco(room: string): readonly object[] {
  return [{ action: "conversation", name: room, startOnEnter: true, endOnExit: true }];
}

/** Says why nobody takes the call, which is over then. */
export function refusalNcco(words: string): readonly object[] {
  return [{ action: "talk", text: words }];
}

export function answerOf(ncco: readonly object[]): CarrierAnswer {
  return { contentType: "application/json", body: JSON.stringify(ncco) };
}

/** A call with nothing left to do is over. */
export const HANG_UP = answerOf([]);
/** Empty: an NCCO here would take the place of the one that runs. */
export const NOTHING: CarrierAnswer = { contentType: "text/plain", body: "" };
