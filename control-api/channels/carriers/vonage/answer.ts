import type { CarrierAnswer, Transfer } from "../carrier.ts";
import { withoutPlus } from "../phone-numbers.ts";

/** NCCO: what Vonage does next with a call, as a list of actions. */

export function streamNcco(mediaUrl: string): readonly object[] {
  return [
    {
      action: "connect",
      endpoint: [{ type: "websocket", uri: mediaUrl, "content-type": "audio/l16;rate=16000" }],
    },
  ];
}

/** Synchronous: if nobody answers, the reply to the event says what comes next (Vonage's "fallback NCCO"). */
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

/** Payload `notify` posts once the preceding whisper was heard. */
export const WHISPERED = { parley: "briefed" } as const;

/** Speaks the whisper, then asks how to proceed. */
export function whisperNcco(whisper: string, eventUrl: string): readonly object[] {
  return [
    { action: "talk", text: whisper },
    { action: "notify", payload: WHISPERED, eventUrl: [eventUrl], eventMethod: "POST" },
  ];
}

/** A room that closes when the first of the two leaves. */
export function roomNcco(room: string): readonly object[] {
  return [{ action: "conversation", name: room, startOnEnter: true, endOnExit: true }];
}

/** Says why nobody takes the call, then ends it. */
export function refusalNcco(words: string): readonly object[] {
  return [{ action: "talk", text: words }];
}

export function answerOf(ncco: readonly object[]): CarrierAnswer {
  return { contentType: "application/json", body: JSON.stringify(ncco) };
}

/** A call with no actions left ends. */
export const HANG_UP = answerOf([]);
/** Empty, because an NCCO here would replace the running one. */
export const NOTHING: CarrierAnswer = { contentType: "text/plain", body: "" };
