import type { CarrierAnswer, Transfer } from "../carrier.ts";
import { xml } from "../xml.ts";

/** TwiML: what Twilio does next with a call. The media socket's URL must not have a query: Twilio strips it. */

export function streamTwiml(mediaUrl: string): string {
  return xml`<Response><Connect><Stream url="${mediaUrl}"/></Connect></Response>`;
}

/** Twilio reports when the number answers, and asks at the same address how to proceed once the dial has ended. */
export function dialTwiml({ to, from, callbackUrl, ringTimeoutSecs }: Transfer): string {
  return xml`<Response><Dial callerId="${from}" timeout="${String(ringTimeoutSecs)}" action="${callbackUrl}" method="POST"><Number statusCallback="${callbackUrl}" statusCallbackEvent="answered" statusCallbackMethod="POST">${to}</Number></Dial></Response>`;
}

/** Speaks the whisper, then asks how to proceed. */
export function whisperTwiml(whisper: string, nextUrl: string): string {
  return xml`<Response><Say>${whisper}</Say><Redirect method="POST">${nextUrl}</Redirect></Response>`;
}

/** A room that closes when the first of the two leaves. */
export function roomTwiml(room: string): string {
  return xml`<Response><Dial><Conference beep="false" startConferenceOnEnter="true" endConferenceOnExit="true">${room}</Conference></Dial></Response>`;
}

/** Says why nobody takes the call. */
export function refusalTwiml(words: string): string {
  return xml`<Response><Say>${words}</Say><Hangup/></Response>`;
}

export function answerOf(twiml: string): CarrierAnswer {
  return { contentType: "text/xml", body: twiml };
}

export const REJECT = answerOf(xml`<Response><Reject/></Response>`);
export const NOTHING = answerOf(xml`<Response/>`);
