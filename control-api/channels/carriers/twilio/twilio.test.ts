import { createHash } from "node:crypto";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { startFakeTwilio, TWILIO_ACCOUNT } from "../../../../testkit/fakes/carriers/twilio.ts";
import { type CarrierUnderTest, describeCarrierContract } from "../carrier.contract.ts";
import { describeCarrierRefusals } from "../carrier-refusals.contract.ts";
import { eventsOf } from "./callbacks.ts";
import { signTwilio, verifyTwilio } from "./signature.ts";
import { createTwilioCarrier } from "./twilio.ts";

const WRONG = { ...TWILIO_ACCOUNT, authToken: "wrong-token-8f3a" };
const under: CarrierUnderTest = {
  startFake: startFakeTwilio,
  create: (network) => createTwilioCarrier(TWILIO_ACCOUNT, network),
  createWrong: (network) => createTwilioCarrier(WRONG, network),
  secrets: [WRONG.authToken],
  machine: "machine_start",
  beep: "machine_end_beep",
  signsUrl: true,
  signedHeaders: ["x-twilio-signature"],
};
const ADDRESS = "https://voice.example/api/public/carriers/con_1/calls/ses_1";

describeCarrierContract("Twilio", under);
describeCarrierRefusals("Twilio", under);

describe("Twilio's signature", () => {
  /** "Security: validating requests" in Twilio's documentation. */
  const url = "https://mycompany.com/myapp.php?foo=1&bar=2";
  const form = new URLSearchParams({
    CallSid: "CA1234567890ABCDE",
    Caller: "+14158675309",
    Digits: "1234",
    From: "+14158675309",
    To: "+18005551212",
  });
  const published = "RSOYDt4T1cUTdK1PDd93/VVr8B8=";
  const request = (more: object = {}) => ({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": published },
    body: Buffer.from(form.toString()),
    ...more,
  });

  it("is the published one for the published example", () => {
    expect(signTwilio("12345", url, form)).toBe(published);
    expect(verifyTwilio("12345", request())).toBe(published);
  });

  it.each([
    ["https://mycompany.com:443/a", "https://mycompany.com/a"],
    ["https://mycompany.com/a", "https://mycompany.com:443/a"],
    ["https://mycompany.com/a", "https://mycompany.com:8443/a"],
    ["http://mycompany.com:80/a?b=c", "http://mycompany.com/a?b=c"],
  ])("of %s is good at %s: a proxy stands in between", (signed, seen) => {
    const headers = { ...request().headers, "x-twilio-signature": signTwilio("12345", signed, form) };
    expect(() => verifyTwilio("12345", request({ url: seen, headers }))).not.toThrow();
  });

  it("covers JSON by its hash in the address, and nothing without", () => {
    const body = Buffer.from('{"CallSid":"CA1"}');
    const hash = createHash("sha256").update(body).digest("hex");
    const json = (address: string, bytes: Buffer) => ({
      ...request({ url: address, body: bytes }),
      headers: { "content-type": "application/json", "x-twilio-signature": signTwilio("12345", address) },
    });
    expect(() => verifyTwilio("12345", json(`https://a.example/?bodySHA256=${hash}`, body))).not.toThrow();
    expect(() =>
      verifyTwilio("12345", json(`https://a.example/?bodySHA256=${hash}`, Buffer.from("{}"))),
    ).toThrow();
    expect(() => verifyTwilio("12345", json("https://a.example/", body))).toThrow("not covered");
  });

  it("takes each value of a name once, in order", () => {
    const repeated = new URLSearchParams("b=2&a=3&b=1&b=2");
    expect(signTwilio("12345", url, repeated)).toBe(signTwilio("12345", `${url}a3b1b2`));
  });

  it("is too old five minutes after the time that was signed with it", () => {
    const clock = new ManualClock(Date.UTC(2026, 0, 1, 12, 6));
    const network = { baseUrl: "http://127.0.0.1:1", dispatcher: undefined as never, clock };
    const carrier = createTwilioCarrier({ accountSid: "AC1", authToken: "12345" }, network);
    const at = (timestamp: string) => {
      const fields = new URLSearchParams({
        CallSid: "CA1",
        CallStatus: "ringing",
        SequenceNumber: "1",
        Timestamp: timestamp,
      });
      const headers = { ...request().headers, "x-twilio-signature": signTwilio("12345", url, fields) };
      return () => carrier.readCallback(request({ headers, body: Buffer.from(fields.toString()) }));
    };
    expect(at("Thu, 01 Jan 2026 12:02:00 +0000")).not.toThrow();
    expect(at("Thu, 01 Jan 2026 12:00:00 +0000")).toThrow("five minutes");
    expect(at("nonsense")).toThrow("five minutes");
  });
});

describe("Twilio's callbacks", () => {
  it.each([
    ["CallSid=CA1&CallStatus=queued", []],
    ["CallSid=CA1&CallStatus=initiated&SequenceNumber=0", []],
    [
      "CallSid=CA1&CallStatus=in-progress&SequenceNumber=2&AnsweredBy=human",
      [{ type: "answered", callSid: "CA1" }],
    ],
    ["CallSid=CA1&AnsweredBy=fax", [{ type: "machine", callSid: "CA1", answeredBy: "fax" }]],
    ["CallSid=CA1&AnsweredBy=new_kind", [{ type: "machine", callSid: "CA1", answeredBy: "unknown" }]],
    [
      "CallSid=CA1&CallStatus=completed&Direction=inbound",
      [{ type: "ended", callSid: "CA1", status: "completed" }],
    ],
    [
      "CallSid=CA1&CallStatus=in-progress&DialCallStatus=completed",
      [{ type: "transferred", callSid: "CA1" }],
    ],
    ["CallSid=CA1&CallStatus=completed&DialCallStatus=canceled", []],
    ["CallSid=CA2&ParentCallSid=CA1&CallStatus=completed", []],
    [
      "CallSid=CA1&CallStatus=ringing&Direction=inbound&CallbackSource=call-progress-events",
      [{ type: "ringing", callSid: "CA1" }],
    ],
    ["", []],
  ])("say of %s: %j", (fields, events) => {
    expect(eventsOf(new URLSearchParams(fields), ADDRESS)).toEqual(events);
  });
});
