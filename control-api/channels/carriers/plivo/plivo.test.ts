import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PLIVO_ACCOUNT, startFakePlivo } from "../../../../testkit/fakes/carriers/plivo.ts";
import { type CarrierUnderTest, describeCarrierContract } from "../carrier.contract.ts";
import { describeCarrierRefusals } from "../carrier-refusals.contract.ts";
import { eventsOf } from "./callbacks.ts";
import { createPlivoCarrier } from "./plivo.ts";
import { signPlivo, verifyPlivo } from "./signature.ts";

const WRONG = { ...PLIVO_ACCOUNT, authToken: "wrong-token-8f3a" };
const under: CarrierUnderTest = {
  startFake: startFakePlivo,
  create: (network) => createPlivoCarrier(PLIVO_ACCOUNT, network),
  createWrong: (network) => createPlivoCarrier(WRONG, network),
  secrets: [WRONG.authToken],
  machine: "machine",
  signsUrl: true,
  signedHeaders: ["x-plivo-signature-v3", "x-plivo-signature-v3-nonce"],
};
describeCarrierContract("Plivo", under);
describeCarrierRefusals("Plivo", under);

describe("Plivo's signature", () => {
  /** What Plivo's libraries sign, written out. */
  it.each([
    ["https://a.example/x", "", "https://a.example/x.123"],
    ["https://a.example/x?b=2&a=1", "", "https://a.example/x?a=1&b=2.123"],
    ["https://a.example/x", "b=2&a=1", "https://a.example/x?a1b2.123"],
    ["https://a.example:8443/x?d=4&c=3", "b=2&a=1", "https://a.example:8443/x?c=3&d=4.a1b2.123"],
    ["https://a.example/x?a=%2B1", "To=%2B2&To=%2B1", "https://a.example/x?a=+1.To+1To+2.123"],
  ])("of %s with %j is over %s", (url, fields, text) => {
    const expected = createHmac("sha256", "token").update(text).digest("base64");
    expect(signPlivo("token", url, "123", new URLSearchParams(fields))).toBe(expected);
  });

  it("is good from the main account, and among others", () => {
    const url = "https://a.example/x";
    const signature = signPlivo("token", url, "123");
    const request = (headers: Record<string, string>) => ({
      method: "POST",
      url,
      headers: { "x-plivo-signature-v3-nonce": "123", ...headers },
      body: Buffer.alloc(0),
    });
    expect(verifyPlivo("token", request({ "x-plivo-signature-ma-v3": signature }))).toBe("123");
    expect(verifyPlivo("token", request({ "x-plivo-signature-v3": `other,${signature}` }))).toBe("123");
    expect(() => verifyPlivo("token", request({ "x-plivo-signature-v3": "other, another" }))).toThrow(
      "signature",
    );
    const json = { ...request({ "x-plivo-signature-v3": signature }), body: Buffer.from("{}") };
    expect(() => verifyPlivo("token", json)).toThrow("not covered");
  });
});

describe("Plivo's callbacks", () => {
  const said = (fields: string) => eventsOf(new URLSearchParams(fields), "https://a.example/x");

  it.each([
    ["CallStatus=completed", "completed"],
    ["CallStatus=busy", "busy"],
    ["CallStatus=timeout", "no-answer"],
    ["CallStatus=cancel", "canceled"],
    ["CallStatus=failed&HangupCause=CALL_REJECTED", "busy"],
    ["CallStatus=failed&HangupCause=NO_ANSWER", "no-answer"],
    ["CallStatus=failed&HangupCause=UNALLOCATED_NUMBER", "failed"],
  ])("end a call of %s as %s", (fields, status) => {
    expect(said(`Event=Hangup&CallUUID=c1&${fields}`)).toEqual([{ type: "ended", callSid: "c1", status }]);
  });

  it("name the leg again where it is another than the request", () => {
    const fields = "Event=Ring&CallUUID=c1&RequestUUID=r1";
    expect(said(fields)).toEqual([{ type: "ringing", callSid: "c1", dialSid: "r1" }]);
  });

  it.each(["", "Event=Ring", "Event=Redirect&CallUUID=c1", "CallUUID=c1"])(
    "say nothing else: %j",
    (fields) => {
      expect(said(fields)).toEqual([]);
    },
  );
});
