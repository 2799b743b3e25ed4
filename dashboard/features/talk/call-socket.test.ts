import { describe, expect, onTestFinished, test } from "vitest";
import { tone } from "../../../testkit/audio-fixtures.ts";
import { FakeCallServer } from "../../../testkit/fakes/fake-call-server.ts";
import {
  CallSocket,
  type CallSocketEvent,
  type CallSocketOptions,
  type ReadyMessage,
} from "./call-socket.ts";

type EventOf<T extends CallSocketEvent["type"]> = Extract<CallSocketEvent, { type: T }>;

const READY: ReadyMessage = {
  type: "ready",
  sessionId: "ses_test",
  audio: { encoding: "pcm_s16le", sampleRate: 16_000 },
  resume: "resume-token",
  mode: "agent",
  recognition: "server",
};

/** A call socket on a fake gateway, with its events as a queue. */
async function startCall(options: Omit<CallSocketOptions, "onEvent"> = {}) {
  const server = await FakeCallServer.start();
  const events: CallSocketEvent[] = [];
  const changes = new EventTarget();
  const socket = new CallSocket(server.websocketUrl, {
    ...options,
    onEvent: (event) => {
      events.push(event);
      changes.dispatchEvent(new Event("change"));
    },
  });
  onTestFinished(async () => {
    socket.hangUp();
    await server.close();
  });
  /** The next event of this type; those before it are dropped. */
  async function next<T extends CallSocketEvent["type"]>(type: T): Promise<EventOf<T>> {
    for (;;) {
      const event = events.shift();
      if (event?.type === type) return event as EventOf<T>;
      if (event === undefined) {
        await new Promise((resolve) => changes.addEventListener("change", resolve, { once: true }));
      }
    }
  }
  socket.connect();
  return { server, socket, next, events };
}

describe("CallSocket", () => {
  test("starts with 16 kHz pcm and is live when the gateway is ready", async () => {
    const { server, socket, next } = await startCall();
    const far = await server.nextSocket();
    expect(await far.next("start")).toEqual({
      type: "start",
      audio: { encoding: "pcm_s16le", sampleRate: 16_000 },
    });
    expect(socket.state).toBe("connecting");
    far.send(READY);
    expect((await next("ready")).ready).toEqual(READY);
    expect(socket.state).toBe("live");
  });

  test("hands on messages and audio, and skips what a later contract may add", async () => {
    const { server, next } = await startCall();
    const far = await server.nextCall();
    far.sendRaw("{ not json");
    far.sendRaw(JSON.stringify({ type: "hologram", shape: "cat" }));
    far.send({ type: "state", state: "thinking" });
    far.sendAudio(tone(440, 20));
    expect((await next("message")).message).toEqual({ type: "state", state: "thinking" });
    expect((await next("audio")).samples).toEqual(tone(440, 20));
  });

  test("plays an odd number of bytes as whole samples instead of failing", async () => {
    const { server, next } = await startCall();
    const far = await server.nextCall();
    far.sendRaw(new Uint8Array(641));
    expect((await next("audio")).samples.length).toBe(320);
  });

  test("sends audio as it is and messages as JSON", async () => {
    const { server, socket, next } = await startCall();
    const far = await server.nextCall();
    await next("ready");
    socket.sendAudio(tone(300, 20));
    socket.send({ type: "text", text: "hello" });
    expect(await far.next("text")).toEqual({ type: "text", text: "hello" });
    expect(far.audio.map(({ samples }) => samples)).toEqual([tone(300, 20)]);
  });

  test("takes a dropped call over with the resume token, and sends then what was said meanwhile", async () => {
    const { server, socket, next } = await startCall();
    const first = await server.nextCall();
    await next("ready");
    first.drop();
    await next("resuming");
    expect(socket.state).toBe("resuming");
    socket.send({ type: "dtmf", digit: "5" });
    socket.sendAudio(tone(300, 20));
    const second = await server.nextSocket();
    expect(await second.next("start")).toMatchObject({ resume: "resume-token" });
    second.send({ ...READY, resume: "token-2" });
    expect(await second.next("dtmf")).toEqual({ type: "dtmf", digit: "5" });
    expect(second.audio).toEqual([]);
    second.drop();
    await next("resuming");
    expect(await (await server.nextSocket()).next("start")).toMatchObject({ resume: "token-2" });
  });

  test("resumes when the node restarts", async () => {
    const { server, next } = await startCall();
    const far = await server.nextCall();
    await next("ready");
    far.close(1012);
    await next("resuming");
    await server.nextCall();
    await next("ready");
  });

  test("gives a call up when it does not come back within the window", async () => {
    const { server, next } = await startCall({ resumeWindowMs: 80, retryDelaysMs: [0, 10] });
    const far = await server.nextCall();
    await next("ready");
    server.refuseWith(1012);
    far.drop();
    expect(await next("failed")).toEqual({ type: "failed", failure: "lost" });
  });

  test.each([
    ["a server that is full", 1013, { type: "failed", failure: "overloaded" }],
    ["a server that breaks off", 1011, { type: "failed", failure: "unreachable" }],
    ["a server of another contract", 4000, { type: "failed", failure: "protocol" }],
  ] as const)("%s fails the call with its own reason", async (_, code, expected) => {
    const { server, next } = await startCall();
    (await server.nextSocket()).close(code);
    expect(await next("failed")).toEqual(expected);
  });

  test("a server that is not there fails the call", async () => {
    const { server } = await startCall();
    const failed = Promise.withResolvers<CallSocketEvent>();
    const gone = new CallSocket(server.websocketUrl.replace(/:\d+/, ":1"), { onEvent: failed.resolve });
    gone.connect();
    expect(await failed.promise).toEqual({ type: "failed", failure: "unreachable" });
    expect(gone.state).toBe("failed");
  });

  test("a call that goes on in another window ends here", async () => {
    const { server, next } = await startCall();
    const far = await server.nextCall();
    await next("ready");
    far.close(4003);
    expect(await next("ended")).toEqual({ type: "ended", reason: "replaced" });
  });

  test("hanging up waits for the gateway's reason, and tells it once", async () => {
    const { server, socket, next, events } = await startCall();
    const far = await server.nextCall();
    await next("ready");
    socket.hangUp();
    await far.next("hangup");
    far.send({ type: "ended", reason: "hangup" });
    far.close(1000);
    expect(await next("ended")).toEqual({ type: "ended", reason: "hangup" });
    expect(events).toEqual([]);
    socket.send({ type: "text", text: "too late" });
    expect(far.messages.map(({ type }) => type)).toEqual(["start", "hangup"]);
  });

  test("hanging up ends a call whose socket drops then, and does not take it over again", async () => {
    const { server, socket, next, events } = await startCall();
    const far = await server.nextCall();
    await next("ready");
    socket.hangUp();
    await far.next("hangup");
    far.drop();
    expect(await next("ended")).toEqual({ type: "ended", reason: "hangup" });
    expect(socket.state).toBe("ended");
    expect(events).toEqual([]);
  });

  test("a fatal error ends the call after telling why", async () => {
    const { server, next } = await startCall();
    const far = await server.nextCall();
    far.send({ type: "error", code: "speech_failed", message: "no voice", fatal: true });
    expect((await next("message")).message).toMatchObject({ code: "speech_failed" });
    expect(await next("failed")).toEqual({ type: "failed", failure: "fatal" });
  });
});
