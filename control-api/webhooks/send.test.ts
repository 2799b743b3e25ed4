import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { TestReceiver } from "../../tests/support/receiver.ts";
import { truncateUtf8 } from "./call-webhooks.ts";
import { send, standardSignature } from "./send.ts";

it("a receiver has 30 s to answer", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets: [],
    connectTimeoutMs: 60_000,
    connectionsPerHost: 1,
    keepAliveMs: 1_000,
    resolve: () => new Promise(() => undefined),
  });
  const sending = { deliveryId: "dlv_1", event: "call.ended", body: "{}", secret: "whsec_", wallMs: 0 };
  const told = vi.fn();
  void send(dispatcher, { ...sending, url: "https://hooks.example/" }).then(told);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(told).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toHaveBeenCalledExactlyOnceWith({ kind: "failed", reason: "no answer within 30 s" });
});

describe("nothing is sent", () => {
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets: ["127.0.0.0/8"],
    connectTimeoutMs: 1_000,
    connectionsPerHost: 1,
    keepAliveMs: 1_000,
    isHttpsOnly: true,
  });
  const sending = { deliveryId: "dlv_1", event: "call.ended", body: "{}", wallMs: 0 };

  it("over http where that is not open any more: the endpoint was registered in development", async () => {
    const receiver = await TestReceiver.answering(200);
    onTestFinished(() => receiver.close());
    const outcome = await send(dispatcher, { ...sending, secret: "whsec_", url: receiver.url });
    expect(outcome).toEqual({ kind: "refused", reason: "the url must begin with https://" });
    expect(receiver.received).toEqual([]);
  });

  it("without a signature", async () => {
    const receiver = await TestReceiver.answering(200);
    onTestFinished(() => receiver.close());
    const outcome = await send(dispatcher, { ...sending, secret: undefined, url: receiver.url });
    expect(outcome).toEqual({ kind: "failed", reason: expect.stringContaining("SECRETS_KEY") });
    expect(receiver.received).toEqual([]);
  });
});

describe("the signature of Standard Webhooks", () => {
  it("is that of the specification's own example", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const message = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      seconds: "1614265330",
      body: '{"test": 2432232314}',
    };
    expect(standardSignature(secret, message)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("is taken by the ready-made library", () => {
    const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
    const seconds = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify({ event: "call.ended", text: "é" });
    const headers = {
      "webhook-id": "dlv_1",
      "webhook-timestamp": seconds,
      "webhook-signature": standardSignature(secret, { id: "dlv_1", seconds, body }),
    };
    expect(new Webhook(secret).verify(body, headers)).toEqual({ event: "call.ended", text: "é" });
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  });
});

describe("a text that is too long", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["aé", 2, "a"],
    ["aé", 3, "aé"],
    ["🙂🙂", 7, "🙂"],
    ["🙂", 3, ""],
  ])("%s at %d bytes is %j", (text, bytes, cut) => {
    expect(truncateUtf8(text, bytes)).toBe(cut);
  });
});
