import type { CarrierAnswer } from "../carrier.ts";
import { xml } from "../xml.ts";

/** TwiML: what Twilio does with a call next. The media socket's URL must not have a query: Twilio strips it. */

export function streamTwiml(mediaUrl: string): string {
  return xml`<Response><Connect><Stream url="${mediaUrl}"/></Connect></Response>`;
}

/** Keys are played where the stream is not: it is left, and comes back afterwards. */
export function keysTwiml(digits: string, mediaUrl: string): string {
  return xml`<Response><Play digits="${digits}"/><Connect><Stream url="${mediaUrl}"/></Connect></Response>`;
}

export function dialTwiml(to: string, from: string): string {
  return xml`<Response><Dial callerId="${from}"><Number>${to}</Number></Dial></Response>`;
}

export function answerOf(twiml: string): CarrierAnswer {
  return { contentType: "text/xml", body: twiml };
}

export const REJECT = answerOf(xml`<Response><Reject/></Response>`);
export const NOTHING = answerOf(xml`<Response/>`);
