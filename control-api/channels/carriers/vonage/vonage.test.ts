import { createHash, generateKeyPairSync } from "node:crypto";
import { systemClock } from "@parley/shared/clock.ts";
import { describe, expect, it } from "vitest";
import { startFakeVonage, VONAGE_ACCOUNT } from "../../../../testkit/fakes/carriers/vonage.ts";
import { type CarrierUnderTest, describeCarrierContract } from "../carrier.contract.ts";
import { describeCarrierRefusals } from "../carrier-refusals.contract.ts";
import { eventsOf } from "./callbacks.ts";
import { signHs256, verifyHs256 } from "./jwt.ts";
import { createVonageCarrier } from "./vonage.ts";

const stranger = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey;
const WRONG = {
  ...VONAGE_ACCOUNT,
  privateKey: stranger.export({ type: "pkcs8", format: "pem" }).toString(),
  signatureSecret: "wrong-secret-8f3a",
};
const under: CarrierUnderTest = {
  startFake: startFakeVonage,
  create: (network) => createVonageCarrier(VONAGE_ACCOUNT, network),
  createWrong: (network) => createVonageCarrier(WRONG, network),
  secrets: [WRONG.privateKey, WRONG.signatureSecret],
  machine: "machine_start",
  beep: "machine_end_beep",
  signsUrl: false,
  signedHeaders: ["authorization"],
};
const ADDRESS = "https://voice.example/api/public/carriers/con_1/calls/ses_1";

describeCarrierContract("Vonage", under);
describeCarrierRefusals("Vonage", under);

const nowhere = { baseUrl: "http://127.0.0.1:1", dispatcher: undefined as never, clock: systemClock };

describe("Vonage's token", () => {
  const body = Buffer.from('{"uuid":"u1","status":"ringing"}');
  const nowSecs = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: "Vonage",
    api_key: VONAGE_ACCOUNT.apiKey,
    application_id: VONAGE_ACCOUNT.applicationId,
    iat: nowSecs,
    jti: "j1",
    payload_hash: createHash("sha256").update(body).digest("hex"),
  };
  const read = (changes: object) => () => {
    const token = signHs256({ ...claims, ...changes }, VONAGE_ACCOUNT.signatureSecret);
    const headers = { authorization: `Bearer ${token}` };
    return createVonageCarrier(VONAGE_ACCOUNT, nowhere).readCallback({
      method: "POST",
      url: "http://a/",
      headers,
      body,
    });
  };

  it("is good for this account, this body and now", () => {
    expect(read({})().events).toEqual([{ type: "ringing", callSid: "u1" }]);
  });

  it.each([
    [{ iss: "Somebody" }],
    [{ api_key: "other" }],
    [{ application_id: "other" }],
    [{ iat: nowSecs - 3_600 }],
    [{ iat: nowSecs + 3_600 }],
    [{ iat: "now" }],
    [{ jti: undefined }],
    [{ payload_hash: undefined }],
    [{ payload_hash: "" }],
  ])("is refused with %j", (changes) => {
    expect(read(changes)).toThrow(expect.objectContaining({ code: "unauthorized" }));
  });

  it("is of the one algorithm, whatever it says of itself", () => {
    const [, payload = ""] = signHs256(claims, "secret").split(".");
    const none = Buffer.from('{"alg":"none"}').toString("base64url");
    for (const token of [
      `${none}.${payload}.`,
      `${none}.${payload}`,
      "",
      "a",
      "a.b.c.d",
      "..",
      `.${payload}.`,
    ]) {
      expect(verifyHs256(token, "secret"), token).toBeUndefined();
    }
    expect(verifyHs256(signHs256(claims, "secret"), "secret")).toMatchObject({ jti: "j1" });
  });

  it("is made with a key that is one, and that no error quotes", () => {
    const broken = { ...VONAGE_ACCOUNT, privateKey: VONAGE_ACCOUNT.privateKey.replace("A", "!") };
    const elliptic = generateKeyPairSync("ed25519")
      .privateKey.export({ type: "pkcs8", format: "pem" })
      .toString();
    for (const credentials of [broken, { ...broken, privateKey: elliptic }, { ...broken, privateKey: "" }]) {
      const { privateKey } = credentials;
      const quoted = privateKey.split("\n")[1] ?? "-----BEGIN";
      expect(() => createVonageCarrier(credentials, nowhere)).toThrow(
        expect.toSatisfy((error: Error) => error.cause === undefined && !`${error.stack}`.includes(quoted)),
      );
    }
  });
});

describe("Vonage's webhooks", () => {
  it.each([
    ["completed", "completed"],
    ["busy", "busy"],
    ["rejected", "busy"],
    ["unanswered", "no-answer"],
    ["timeout", "no-answer"],
    ["cancelled", "canceled"],
    ["failed", "failed"],
  ])("end a call of %s as %s", (status, ended) => {
    expect(eventsOf({ uuid: "u1", status }, ADDRESS)).toEqual([
      { type: "ended", callSid: "u1", status: ended },
    ]);
  });

  it.each([
    [undefined, "machine_start"],
    ["beep_start", "machine_end_beep"],
    ["beep_timeout", "machine_end_other"],
    ["toString", "machine_start"],
  ])("say of a machine with %s: %s", (subState, answeredBy) => {
    const machine = { uuid: "u1", status: "machine", sub_state: subState };
    expect(eventsOf(machine, ADDRESS)).toEqual([{ type: "machine", callSid: "u1", answeredBy }]);
  });

  it.each([
    {},
    null,
    [],
    { uuid: "u1" },
    { uuid: "u1", status: "started" },
    { uuid: "u1", status: "disconnected" },
  ])("say nothing else: %j", (webhook) => {
    expect(eventsOf(webhook, ADDRESS)).toEqual([]);
  });

  it.each([
    [{ uuid: "u2", status: "completed" }, []],
    [{ uuid: "u2", status: "ringing" }, []],
    [
      { uuid: "u2", status: "rejected" },
      [{ type: "transfer_failed", callSid: "u1", why: "busy", awaitsMedia: true }],
    ],
  ])("say of the leg of a transfer: %j", (webhook, events) => {
    expect(eventsOf(webhook, `${ADDRESS}?transferOf=u1`)).toEqual(events);
  });
});
