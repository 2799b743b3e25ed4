import { createHmac } from "node:crypto";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { WebhookEvents } from "./events.ts";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook.ts";

/** An example whose signature was computed elsewhere. */
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const SECONDS = 1_614_265_330;
const BODY = '{"test": 2432232314}';
const HEADERS = {
  "Webhook-Id": ID,
  "webhook-timestamp": String(SECONDS),
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  "X-Service-Event": ["call.ended"],
};

function verify(change: Partial<Parameters<typeof verifyWebhook>[0]> = {}) {
  return verifyWebhook({ headers: HEADERS, body: BODY, secret: SECRET, nowMs: SECONDS * 1_000, ...change });
}
const codeOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.code;
    throw error;
  }
  return undefined;
};

describe("a webhook", () => {
  it("that is genuine is given, as text or as bytes", () => {
    const verified = { deliveryId: ID, event: "", payload: { test: 2_432_232_314 } };
    expect(verify()).toEqual(verified);
    expect(verify({ body: new TextEncoder().encode(BODY) })).toEqual(verified);
  });

  it("is of the event that was signed, whatever a header says", () => {
    const body = '{"event":"call.dtmf"}';
    const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`${ID}.${SECONDS}.${body}`).digest("base64");
    const headers = { ...HEADERS, "webhook-signature": `v1,${signature}` };
    expect(verify({ headers, body })).toMatchObject({ event: "call.dtmf" });
  });

  it("is taken from a server of fetch, too, whose headers are no plain object", () => {
    const headers = new Headers();
    for (const [name, value] of Object.entries(HEADERS)) headers.set(name, String(value));
    expect(verify({ headers }).deliveryId).toBe(ID);
    headers.delete("webhook-id");
    expect(codeOf(() => verify({ headers }))).toBe("missing_header");
  });

  it("has the payload of its event, once that is known", () => {
    const body = JSON.stringify({ event: "call.dtmf", digit: "5" });
    const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
    const signature = createHmac("sha256", key).update(`${ID}.${SECONDS}.${body}`).digest("base64");
    const verified = verify({ headers: { ...HEADERS, "webhook-signature": `v1,${signature}` }, body });
    expectTypeOf(verified.event).toEqualTypeOf<keyof WebhookEvents>();
    if (verified.event !== "call.dtmf") throw new Error(`it is a ${verified.event}`);
    expectTypeOf(verified.payload.sessionId).toEqualTypeOf<string>();
    expect(verified.payload.digit).toBe("5");
  });

  it("may have several signatures, of which one counts", () => {
    const several = `v1a,xxx v1,AAAA ${HEADERS["webhook-signature"]}`;
    expect(verify({ headers: { ...HEADERS, "webhook-signature": several } }).deliveryId).toBe(ID);
  });

  it.each<[string, () => unknown]>([
    ["wrong_signature", () => verify({ body: `${BODY} ` })],
    ["wrong_signature", () => verify({ secret: "whsec_AAAA" })],
    ["wrong_signature", () => verify({ headers: { ...HEADERS, "Webhook-Id": "msg_other" } })],
    ["wrong_signature", () => verify({ headers: { ...HEADERS, "webhook-signature": "v1,AAAA" } })],
    ["missing_header", () => verify({ headers: {} })],
    ["too_old", () => verify({ nowMs: (SECONDS + 301) * 1_000 })],
    ["too_old", () => verify({ nowMs: (SECONDS - 301) * 1_000 })],
    ["too_old", () => verify({ headers: { ...HEADERS, "webhook-timestamp": "yesterday" } })],
  ])("is refused as %s", (code, work) => {
    expect(codeOf(work)).toBe(code);
  });

  it("that is signed and is no JSON says so", () => {
    const key = Buffer.from(SECRET.slice(6), "base64");
    const signature = `v1,${createHmac("sha256", key).update(`${ID}.${SECONDS}.x`).digest("base64")}`;
    expect(codeOf(() => verify({ body: "x", headers: { ...HEADERS, "webhook-signature": signature } }))).toBe(
      "not_json",
    );
  });
});
