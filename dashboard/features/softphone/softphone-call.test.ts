import { describe, expect, onTestFinished, test } from "vitest";
import { tone } from "../../../testkit/audio-fixtures.ts";
import { FakeCallServer } from "../../../testkit/fakes/fake-call-server.ts";
import type { MicrophoneOptions } from "../talk/microphone.ts";
import { MicrophoneError, type MicrophoneFault } from "../talk/microphone-fault.ts";
import { type ConnectedLine, SoftphoneCall } from "./softphone-call.ts";
import { IDLE, type Line, nextView, type SoftphoneView } from "./softphone-view.ts";

const LINE: Line = {
  direction: "outbound",
  number: "+12025550143",
  ownNumber: "+12025550123",
  sessionId: "ses_test",
};

interface Setting {
  /** Microphones that are opened one after another; a fault in the place of one that cannot be. */
  readonly microphones?: readonly (MicrophoneFault | "works")[];
  readonly whyEnded?: string;
}

/** A call with devices of a test's own, on a fake gateway. */
async function setUp({ microphones = ["works"], whyEnded }: Setting = {}) {
  const server = await FakeCallServer.start();
  const opened: MicrophoneOptions[] = [];
  const changes = new EventTarget();
  let view: SoftphoneView = IDLE;
  const dialed = Promise.withResolvers<void>();
  const connected = Promise.withResolvers<ConnectedLine>();
  const call = new SoftphoneCall({
    line: LINE,
    microphoneId: "headset",
    speakerId: undefined,
    devices: {
      openSpeaker: async () => ({
        play: () => undefined,
        mark: () => undefined,
        clear: async () => 0,
        close: async () => undefined,
        switchSpeaker: async () => undefined,
      }),
      openMicrophone: async (options) => {
        const outcome = microphones[opened.length] ?? "missing";
        opened.push(options);
        if (outcome !== "works") throw new MicrophoneError(outcome);
        return { close: async () => undefined };
      },
    },
    connect: () => {
      dialed.resolve();
      return connected.promise;
    },
    whyEnded: async () => whyEnded,
    onEvent: (event) => {
      view = nextView(view, { event, atMs: 1_000 });
      changes.dispatchEvent(new Event("change"));
    },
    onLevel: () => undefined,
  });
  onTestFinished(async () => {
    call.hangUp();
    await server.close();
  });
  async function until(isSo: (view: SoftphoneView) => boolean): Promise<SoftphoneView> {
    while (!isSo(view))
      await new Promise((resolve) => changes.addEventListener("change", resolve, { once: true }));
    return view;
  }
  const answer = (websocketUrl = server.websocketUrl): void =>
    connected.resolve({ line: LINE, websocketUrl });
  return { server, call, opened, until, answer, dialed: dialed.promise };
}

describe("a call by softphone", () => {
  test("that is given up while it is dialed is hung up as soon as it is there", async () => {
    const { server, call, until, answer, dialed } = await setUp();
    const started = call.start();
    await dialed;
    call.hangUp();
    await until(({ phase }) => phase.at === "ended");
    answer();
    await started;
    const far = await server.nextCall();
    await far.next("hangup");
    expect((await until(() => true)).phase).toEqual({ at: "ended", reason: "hangup" });
  });

  test("without a microphone is not dialed, and says why", async () => {
    const { call, until } = await setUp({ microphones: ["refused"] });
    await call.start();
    expect((await until(() => true)).phase).toEqual({ at: "no-microphone", fault: "refused" });
  });

  test("takes the system's microphone when the chosen one is not plugged in", async () => {
    const { call, opened, until, answer, server } = await setUp({ microphones: ["missing", "works"] });
    answer();
    await call.start();
    await server.nextCall();
    await until(({ phase }) => phase.at === "ringing");
    expect(opened.map(({ deviceId }) => deviceId)).toEqual(["headset", undefined]);
  });

  test("goes on with another microphone when its own is pulled out", async () => {
    const { call, opened, until, answer, server } = await setUp({ microphones: ["works", "works"] });
    answer();
    await call.start();
    const far = await server.nextCall();
    await until(({ phase }) => phase.at === "ringing");
    opened[0]?.onLost();
    await until(({ microphone }) => microphone.is === "failed");
    await until(({ microphone }) => microphone.is === "on");
    opened[0]?.onFrame({ samples: tone(300, 20), level: 0.1 });
    opened[1]?.onFrame({ samples: tone(440, 20), level: 0.1 });
    call.press("1");
    await far.next("dtmf");
    expect(far.audio.map(({ samples }) => samples)).toEqual([tone(440, 20)]);
  });

  test("muted sends silence, and tells when somebody talks into it", async () => {
    const { call, opened, until, answer, server } = await setUp();
    answer();
    await call.start();
    const far = await server.nextCall();
    await until(({ phase }) => phase.at === "ringing");
    call.mute(true);
    opened[0]?.onFrame({ samples: tone(300, 20), level: 0.1 });
    expect((await until(({ isTalkingMuted }) => isTalkingMuted)).isMuted).toBe(true);
    call.press("1");
    await far.next("dtmf");
    expect(far.audio.map(({ samples }) => samples)).toEqual([new Int16Array(320)]);
  });

  test("whose line was engaged before its socket came tells so, and not that the network is broken", async () => {
    const { call, until, answer } = await setUp({ whyEnded: "busy" });
    answer("ws://127.0.0.1:1/v1/calls/ses_test");
    await call.start();
    expect((await until(({ endedAtMs }) => endedAtMs !== undefined)).phase).toEqual({
      at: "ended",
      reason: "busy",
    });
  });

  test.for([
    { whyEnded: "busy", phase: { at: "ended", reason: "busy" } },
    { phase: { at: "failed", failure: "fatal" } },
  ] as const)("whose session the gateway does not know ends as the API says: $whyEnded", async (about) => {
    const { call, until, answer, server } = await setUp(about);
    answer();
    await call.start();
    const far = await server.nextSocket();
    far.send({ type: "error", code: "session_ended", message: "The session has ended.", fatal: true });
    expect((await until(({ endedAtMs }) => endedAtMs !== undefined)).phase).toEqual(about.phase);
  });
});
