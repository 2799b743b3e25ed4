import type { CarrierAnswer, Transfer } from "../carrier.ts";
import { withoutPlus } from "../phone-numbers.ts";
import { xml } from "../xml.ts";

/** Plivo XML: what Plivo does next with a call. */

export function streamXml(mediaUrl: string): CarrierAnswer {
  const type = "audio/x-mulaw;rate=8000";
  return answerOf(
    xml`<Response><Stream bidirectional="true" keepCallAlive="true" contentType="${type}">${mediaUrl}</Stream></Response>`,
  );
}

/** Plivo reports when the number answers, and asks at the same address how to proceed once the dial has ended. */
export function dialXml({ to, from, callbackUrl, ringTimeoutSecs }: Transfer): CarrierAnswer {
  const [number, callerId] = [withoutPlus(to), withoutPlus(from)];
  return answerOf(
    xml`<Response><Dial callerId="${callerId}" timeout="${String(ringTimeoutSecs)}" action="${callbackUrl}" method="POST" redirect="true" callbackUrl="${callbackUrl}" callbackMethod="POST"><Number>${number}</Number></Dial></Response>`,
  );
}

/** Speaks the whisper, then asks how to proceed. */
export function whisperXml(whisper: string, nextUrl: string): CarrierAnswer {
  return answerOf(
    xml`<Response><Speak>${whisper}</Speak><Redirect method="POST">${nextUrl}</Redirect></Response>`,
  );
}

/** A room that closes when the first of the two leaves. */
export function roomXml(room: string): CarrierAnswer {
  return answerOf(
    xml`<Response><Conference startConferenceOnEnter="true" endConferenceOnExit="true">${room}</Conference></Response>`,
  );
}

/** Says why nobody takes the call. */
export function refusalXml(words: string): CarrierAnswer {
  return answerOf(xml`<Response><Speak>${words}</Speak><Hangup/></Response>`);
}

export const REJECT = answerOf(xml`<Response><Hangup reason="rejected"/></Response>`);
export const NOTHING = answerOf(xml`<Response/>`);

function answerOf(body: string): CarrierAnswer {
  return { contentType: "text/xml", body };
}
