import type { CarrierAnswer } from "../carrier.ts";
import { withoutPlus } from "../phone-numbers.ts";
import { xml } from "../xml.ts";

/** Plivo XML: what Plivo does with a call next. */

export function streamXml(mediaUrl: string): CarrierAnswer {
  const type = "audio/x-mulaw;rate=8000";
  return answerOf(
    xml`<Response><Stream bidirectional="true" keepCallAlive="true" contentType="${type}">${mediaUrl}</Stream></Response>`,
  );
}

export function dialXml(to: string, from: string): CarrierAnswer {
  const [number, callerId] = [withoutPlus(to), withoutPlus(from)];
  return answerOf(xml`<Response><Dial callerId="${callerId}"><Number>${number}</Number></Dial></Response>`);
}

export const REJECT = answerOf(xml`<Response><Hangup reason="rejected"/></Response>`);
export const NOTHING = answerOf(xml`<Response/>`);

function answerOf(body: string): CarrierAnswer {
  return { contentType: "text/xml", body };
}
