import { systemClock } from "@parley/shared/clock.ts";
import { createGuardedDispatcher } from "@parley/shared/net/guarded-dispatcher.ts";
import { NeverSentError } from "@parley/shared/net/guarded-post.ts";
import { LookupError } from "@parley/shared/net/names/lookup-error.ts";
import { createSystemResolver } from "@parley/shared/net/names/system-resolver.ts";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { TestReceiver } from "../../testkit/receiver.ts";
import { send, standardSignature } from "./send.ts";
import { signingKeysOf } from "./signing-keys.ts";
import { truncateUtf8 } from "./truncate-utf8.ts";

/** `hooks.example` is loopback, `silent.example` never answered, `gone.example` not known. */
function openDispatcher(names: Record<string, string> = {}) {
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets: ["127.0.0.0/8"],
    connectTimeoutMs: 5_000,
    connectionsPerHost: 1,
    keepAliveMs: 1_000,
    resolve: async (host) => {
      const code = names[host];
      if (code !== undefined) throw new LookupError(host, code);
      return [{ address: "127.0.0.1", family: 4 }];
    },
  });
  onTestFinished(() => dispatcher.destroy());
  return dispatcher;
}

const ATTEMPT = {
  deliveryId: "dlv_1",
  event: "call.ended",
  body: "{}",
  keys: signingKeysOf("whsec_"),
  wallMs: 0,
};

describe("a receiver that does not answer", () => {
  it("has 30 s from when it was sent", async () => {
    const receiver = await TestReceiver.answering(() => undefined);
    onTestFinished(() => receiver.close());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const told = vi.fn();
    void send(openDispatcher(), { ...ATTEMPT, url: receiver.url }).then(told);
    await vi.waitUntil(() => receiver.received.length === 1, { interval: 0, timeout: 90_000 });
    await vi.advanceTimersByTimeAsync(29_999);
    expect(told).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(told).toHaveBeenCalledExactlyOnceWith({ kind: "failed", reason: "no answer within 30 s" });
  });

  it("does not use up the 30 s of what waits for its connection; that was no attempt", async () => {
    const receiver = await TestReceiver.answering(() => undefined);
    onTestFinished(() => receiver.close());
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const dispatcher = openDispatcher();
    void send(dispatcher, { ...ATTEMPT, url: receiver.url });
    await vi.waitUntil(() => receiver.received.length === 1, { interval: 0, timeout: 90_000 });
    const waiting = expect(send(dispatcher, { ...ATTEMPT, url: receiver.url })).rejects.toThrow(
      NeverSentError,
    );
    await vi.advanceTimersByTimeAsync(15_000);
    await waiting;
    expect(receiver.received).toHaveLength(1);
  });
});

it.each([
  ["ETIMEOUT", { kind: "failed", reason: "the url's name could not be looked up (ETIMEOUT)" }],
  ["ESERVFAIL", { kind: "failed", reason: "the url's name could not be looked up (ESERVFAIL)" }],
  ["ENOTFOUND", { kind: "refused", reason: "the url's host name no longer exists" }],
])("a look-up that fails with %s is told as what it is", async (code, outcome) => {
  const dispatcher = openDispatcher({ "hooks.example": code });
  expect(await send(dispatcher, { ...ATTEMPT, url: "http://hooks.example/" })).toEqual(outcome);
});

describe("nothing is sent", () => {
  const dispatcher = createGuardedDispatcher({
    allowPrivateTargets: ["127.0.0.0/8"],
    connectTimeoutMs: 1_000,
    connectionsPerHost: 1,
    keepAliveMs: 1_000,
    isHttpsOnly: true,
    resolve: createSystemResolver({ clock: systemClock }),
  });
  const sending = { deliveryId: "dlv_1", event: "call.ended", body: "{}", wallMs: 0 };

  it("over http where that is not open any more: the endpoint was registered in development", async () => {
    const receiver = await TestReceiver.answering(200);
    onTestFinished(() => receiver.close());
    const outcome = await send(dispatcher, { ...sending, keys: signingKeysOf("whsec_"), url: receiver.url });
    expect(outcome).toEqual({ kind: "refused", reason: "the url must begin with https://" });
    expect(receiver.received).toEqual([]);
  });

  it("without a signature", async () => {
    const receiver = await TestReceiver.answering(200);
    onTestFinished(() => receiver.close());
    const outcome = await send(dispatcher, { ...sending, keys: undefined, url: receiver.url });
    expect(outcome).toEqual({ kind: "failed", reason: expect.stringContaining("SECRETS_KEY") });
    expect(receiver.received).toEqual([]);
  });
});

describe("the signature of Standard Webhooks", () => {
  it("is that of an example computed elsewhere", () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const message = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      seconds: "1614265330",
      body: '{"test": 2432232314}',
    };
    expect(standardSignature(signingKeysOf(secret), message)).toBe(
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    );
  });

  it("is taken by the ready-made library", () => {
    const secret = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
    const seconds = String(Math.floor(Date.now() / 1_000));
    const body = JSON.stringify({ event: "call.ended", text: "é" });
    const headers = {
      "webhook-id": "dlv_1",
      "webhook-timestamp": seconds,
      "webhook-signature": standardSignature(signingKeysOf(secret), { id: "dlv_1", seconds, body }),
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
