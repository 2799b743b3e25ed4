import { systemClock } from "@parley/shared/clock.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import type { FakeCall } from "../../../../testkit/fakes/carriers/fake-carrier.ts";
import { startFakeTelnyx, TELNYX_ACCOUNT } from "../../../../testkit/fakes/carriers/telnyx.ts";
import { type CarrierUnderTest, describeCarrierContract } from "../carrier.contract.ts";
import { describeCarrierRefusals } from "../carrier-refusals.contract.ts";
import { eventsOf } from "./callbacks.ts";
import { createTelnyxCarrier } from "./telnyx.ts";

const WRONG = {
  ...TELNYX_ACCOUNT,
  apiKey: "KEYwrong-8f3a",
  publicKey: Buffer.alloc(32, 7).toString("base64"),
};
const under: CarrierUnderTest = {
  startFake: startFakeTelnyx,
  create: (network) => createTelnyxCarrier(TELNYX_ACCOUNT, network),
  createWrong: (network) => createTelnyxCarrier(WRONG, network),
  secrets: [WRONG.apiKey],
  machine: "machine_start",
  beep: "machine_end_beep",
  signsUrl: false,
  signedHeaders: ["telnyx-signature-ed25519", "telnyx-timestamp"],
};
describeCarrierContract("Telnyx", under);
describeCarrierRefusals("Telnyx", under);

const nowhere = { baseUrl: "http://127.0.0.1:1", dispatcher: undefined as never };

describe("Telnyx' signature", () => {
  it("is too old after five minutes, and too young before", async () => {
    const fake = await startFakeTelnyx();
    const call: FakeCall = {
      ...{ callSid: "v3:1", direction: "outbound", to: "+15551230009", from: "+15550001111" },
      ...{ callbackUrl: "http://127.0.0.1:1/", state: "queued" },
    };
    fake.add(call);
    const { method, url, headers, body } = await fake.sign("v3:1", { type: "ringing" });
    const at = (offsetMs: number) => {
      const clock = new ManualClock(systemClock.wallMs() + offsetMs);
      const carrier = createTelnyxCarrier(TELNYX_ACCOUNT, { ...nowhere, clock });
      return () => carrier.readCallback({ method, url, headers, body: Buffer.from(body) });
    };
    expect(at(-290_000)).not.toThrow();
    expect(at(290_000)).not.toThrow();
    expect(at(310_000)).toThrow("five minutes");
    expect(at(-310_000)).toThrow("five minutes");
    await fake.close();
  });

  it("needs a key that is one", () => {
    const credentials = { ...TELNYX_ACCOUNT, publicKey: "bm90IGEga2V5" };
    expect(() => createTelnyxCarrier(credentials, { ...nowhere, clock: systemClock })).toThrow(
      "publicKey is not",
    );
  });
});

describe("Telnyx' webhooks", () => {
  const said = (type: string, fields: object = {}) =>
    eventsOf({ data: { event_type: type, payload: { call_control_id: "v3:1", ...fields } } });

  it.each([
    ["normal_clearing", "completed"],
    ["time_limit", "completed"],
    ["user_busy", "busy"],
    ["call_rejected", "busy"],
    ["timeout", "no-answer"],
    ["originator_cancel", "canceled"],
    ["not_found", "failed"],
    ["a cause to come", "failed"],
    [undefined, "failed"],
  ])("end a call of %s as %s", (cause, status) => {
    expect(said("call.hangup", { hangup_cause: cause })).toEqual([
      { type: "ended", callSid: "v3:1", status },
    ]);
  });

  it.each([
    ["call.machine.premium.detection.ended", "human_residence", "human"],
    ["call.machine.premium.detection.ended", "human_business", "human"],
    ["call.machine.premium.detection.ended", "silence", "unknown"],
    ["call.machine.premium.detection.ended", "fax_detected", "fax"],
    ["call.machine.premium.greeting.ended", "beep_detected", "machine_end_beep"],
    ["call.machine.detection.ended", "not_sure", "unknown"],
    ["call.machine.greeting.ended", "ended", "machine_end_silence"],
    ["call.machine.greeting.ended", "not_sure", "machine_end_other"],
  ])("say by %s %s: %s", (type, result, answeredBy) => {
    expect(said(type, { result })).toEqual([{ type: "machine", callSid: "v3:1", answeredBy }]);
  });

  it("say that a call was bridged: somebody took it over", () => {
    expect(said("call.bridged")).toEqual([{ type: "transferred", callSid: "v3:1" }]);
  });

  it("say nothing else", () => {
    for (const type of ["streaming.started", "toString"]) expect(said(type)).toEqual([]);
    for (const webhook of [{}, null, [1], "text"]) expect(eventsOf(webhook)).toEqual([]);
  });
});
