import { connect } from "node:net";
import { CLIENT_MESSAGE_TYPES } from "@parley/shared/contracts/call-socket.ts";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { TestBrain } from "../../testkit/brain.ts";
import { TestCaller } from "../../testkit/caller.ts";
import { TestGateway } from "../../testkit/gateway.ts";
import { parseClientMessage } from "../transports/client-message.ts";

let gateway: TestGateway;
let brain: TestBrain;

beforeAll(async () => {
  gateway = await TestGateway.start({ env: { START_TIMEOUT_MS: "400" } });
  brain = await TestBrain.saying("Fine.");
});
afterAll(async () => {
  brain.close();
  await gateway.close();
});

async function fresh(options: Parameters<typeof TestCaller.connect>[1] = {}): Promise<TestCaller> {
  const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
  return TestCaller.connect(websocketUrl, options);
}

async function live(): Promise<TestCaller> {
  const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
  return TestCaller.start(websocketUrl, { acknowledges: true });
}

/** Status and JSON body a websocket client is refused with. */
function refusal(url: string): Promise<{ status: number; code: string; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on("open", () => reject(new Error("the socket was accepted")));
    socket.on("unexpected-response", (_request, response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () => {
        const { code } = JSON.parse(text) as { code: string };
        resolve({ status: response.statusCode ?? 0, code, retryAfter: response.headers["retry-after"] });
      });
    });
    socket.on("error", () => undefined);
  });
}

describe("the upgrade is refused", () => {
  it("without a ticket, with garbage for one, and with one for another session", async () => {
    const { sessionId, websocketUrl } = await gateway.createSession();
    const bare = websocketUrl.split("?")[0] ?? "";
    expect(await refusal(bare)).toMatchObject({ status: 401, code: "ticket_invalid" });
    expect(await refusal(`${bare}?ticket=garbage`)).toMatchObject({ status: 401, code: "ticket_invalid" });
    const foreign = await gateway.url("call", sessionId, { forSession: "ses_other" });
    expect(await refusal(foreign)).toMatchObject({ status: 401, code: "ticket_invalid" });
    const wrongKind = (await gateway.url("stream", sessionId)).replace("/streams/", "/calls/");
    expect(await refusal(wrongKind)).toMatchObject({ status: 401, code: "ticket_invalid" });
  });

  it("with a ticket that is too old", async () => {
    const { sessionId } = await gateway.createSession();
    const url = await gateway.url("call", sessionId, { ttlSecs: -1 });
    expect(await refusal(url)).toMatchObject({ status: 401, code: "ticket_expired" });
  });

  it("for a session that has ended or never was", async () => {
    expect(await refusal(await gateway.url("call", "ses_unknown"))).toMatchObject({
      status: 404,
      code: "session_ended",
    });
    const { sessionId, websocketUrl } = await gateway.createSession();
    const caller = await TestCaller.start(websocketUrl);
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    await gateway.eventsOf(sessionId);
    expect(await refusal(websocketUrl)).toMatchObject({ status: 404, code: "session_ended" });
  });

  it("by a node that is full and says so, with the time after which to try again", async () => {
    const full = await TestGateway.start({ env: { MAX_CALLS: "1" } });
    try {
      const first = await full.createSession();
      await TestCaller.start(first.websocketUrl);
      const second = await full.createSession();
      expect(await refusal(second.websocketUrl)).toMatchObject({ status: 503, retryAfter: "2" });
      const metrics = await (await fetch(`${full.httpUrl}/metrics`)).text();
      expect(metrics).toContain("\nparley_calls_share 1\n");
    } finally {
      await full.close();
    }
  });
});

describe("a message that is wrong", () => {
  it.each([
    ["is not JSON", "{", "malformed_json"],
    ["is not an object", "[1]", "invalid_message"],
    ["has a type nobody knows", '{"type":"sing"}', "unknown_type"],
    ["has no type", "{}", "unknown_type"],
    ["lacks a field", '{"type":"text"}', "invalid_message"],
    ["has a digit no telephone has", '{"type":"dtmf","digit":"E"}', "invalid_message"],
    ["starts a second time", '{"type":"start"}', "already_started"],
  ])("and %s gets a named error, and the call goes on", async (_what, text, code) => {
    const caller = await live();
    caller.send(text);
    expect(await caller.next("error")).toMatchObject({ code, fatal: false });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.said("assistant")).toMatchObject({ text: "Fine." });
    caller.drop();
  });

  it("closes the socket with 4000 when it comes again after the warning", async () => {
    const caller = await live();
    caller.send("{");
    await caller.next("error");
    caller.send("{");
    expect(await caller.untilClosed()).toMatchObject({ code: 4000 });
  });

  it.each([
    ["a sample rate nobody has", { encoding: "pcm_s16le", sampleRate: 44100 }],
    ["an encoding nobody has", { encoding: "mp3", sampleRate: 16000 }],
    ["opus at another rate than its own", { encoding: "opus", sampleRate: 16000 }],
  ])("in start, with %s, is named and start may be sent again", async (_what, audio) => {
    const caller = await fresh();
    caller.send({ type: "start", audio });
    const error = await caller.next("error");
    expect(error.code).toBe("invalid_message");
    expect(error.message).toContain("audio");
    caller.send({ type: "start" });
    await caller.next("ready");
    caller.drop();
  });

  it("is anything before start", async () => {
    const caller = await fresh();
    caller.socket.send(Buffer.alloc(640));
    expect(await caller.next("error")).toMatchObject({ code: "start_expected" });
    caller.socket.send(Buffer.alloc(640));
    expect(await caller.untilClosed()).toMatchObject({ code: 4000 });
  });

  it("is audio of less than 10 or more than 100 ms", async () => {
    const caller = await live();
    caller.socket.send(Buffer.alloc(100));
    expect(await caller.next("error")).toMatchObject({ code: "audio_length" });
    caller.drop();
  });

  it("of more bytes than allowed closes the socket with 1009", async () => {
    const caller = await live();
    caller.socket.send(Buffer.alloc(1024 * 1024));
    expect(await caller.untilClosed()).toMatchObject({ code: 1009 });
  });

  it("never makes the parser throw, whatever it is", () => {
    const type = fc.oneof(fc.constantFrom(...CLIENT_MESSAGE_TYPES), fc.string());
    const almost = fc.record({ type, text: fc.anything(), digit: fc.anything(), audio: fc.anything() });
    const messages = fc.oneof(
      fc.string(),
      fc.json(),
      almost.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(messages, (text) => {
        const parsed = parseClientMessage(text);
        expect(parsed.ok || parsed.problem.length > 0).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a socket", () => {
  it("without start is closed with 4008", async () => {
    const caller = await fresh();
    expect(await caller.untilClosed()).toMatchObject({ code: 4008 });
  });

  it("that floods is told so once, loses the surplus, and disturbs nobody else", async () => {
    const flooder = await live();
    const neighbor = await live();
    for (let i = 0; i < 5_000; i++) flooder.send({ type: "mark", name: "x" });
    expect(await flooder.next("error")).toMatchObject({ code: "message_flood", fatal: false });
    neighbor.send({ type: "text", text: "Hello" });
    expect(await neighbor.said("assistant")).toMatchObject({ text: "Fine." });
    flooder.drop();
    neighbor.drop();
  });

  it("that sends audio faster than it can be spoken loses the surplus", async () => {
    const caller = await live();
    for (let i = 0; i < 200; i++) caller.socket.send(Buffer.alloc(640));
    expect(await caller.next("error")).toMatchObject({ code: "audio_too_fast" });
    caller.drop();
  });

  it("in any encoding hears the agent in that encoding", async () => {
    for (const [audio, bytesPerFrame] of [
      [{ encoding: "mulaw", sampleRate: 8000 }, 160],
      [{ encoding: "alaw", sampleRate: 8000 }, 160],
      [{ encoding: "pcm_s16le", sampleRate: 48000 }, 1920],
      [{ encoding: "opus", sampleRate: 48000 }, undefined],
    ] as const) {
      const { websocketUrl } = await gateway.createSession({ brainUrl: brain.url });
      const caller = await TestCaller.start(websocketUrl, { audio, acknowledges: true });
      caller.send({ type: "text", text: "Hello" });
      await caller.said("assistant");
      expect(caller.audio.length).toBeGreaterThan(10);
      if (bytesPerFrame !== undefined)
        expect(new Set(caller.audio.map(({ length }) => length))).toEqual(new Set([bytesPerFrame]));
      caller.drop();
    }
  });
});

describe("plain HTTP", () => {
  it("answers health, readiness and metrics", async () => {
    expect((await fetch(`${gateway.httpUrl}/healthz`)).status).toBe(200);
    expect((await fetch(`${gateway.httpUrl}/readyz`)).status).toBe(200);
    const metrics = await (await fetch(`${gateway.httpUrl}/metrics`)).text();
    expect(metrics).toContain("parley_live_calls");
    expect(metrics).toContain("parley_bus_ready 1");
  });

  it("is told at a socket's address to use a websocket, and elsewhere that there is nothing", async () => {
    expect((await fetch(`${gateway.httpUrl}/v1/calls/ses_x`)).status).toBe(426);
    expect((await fetch(`${gateway.httpUrl}/nothing`)).status).toBe(404);
  });

  it("survives a peer that sends garbage", async () => {
    const socket = connect(gateway.gateway.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.resume().end("\u0000\u0001garbage\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    expect((await fetch(`${gateway.httpUrl}/healthz`)).status).toBe(200);
  });
});
