import { describe, expect, onTestFinished, test } from "vitest";
import { tone } from "../../../testkit/audio-fixtures.ts";
import { FakeCallServer, type FakeCallServerOptions } from "../../../testkit/fakes/fake-call-server.ts";
import { type CallView, IDLE_VIEW, nextView } from "./call-view.ts";
import type { CallDevices } from "./devices.ts";
import type { MicrophoneOptions } from "./microphone.ts";
import { MicrophoneError, type MicrophoneFault } from "./microphone-fault.ts";
import type { PlayerOptions } from "./player.ts";
import { type PlayoutCommand, PlayoutEngine } from "./playout-engine.ts";
import type { RecognitionOptions } from "./recognition.ts";
import { SessionError } from "./session.ts";
import { TalkCall } from "./talk-call.ts";

const RATE_HZ = 16_000;

interface Room {
  /** The microphone hears 20 ms. */
  speak(level: number): void;
  unplug(): void;
  /** Lets the loudspeaker play. */
  playMs(durationMs: number): void;
  recognizer: RecognitionOptions | undefined;
  log: string[];
}

/** Devices without a browser: the loudspeaker is the real playout engine, moved by the test. */
function devicesWith(fault: MicrophoneFault | "none"): { devices: CallDevices; room: Room } {
  let microphone: MicrophoneOptions | undefined;
  let engine: PlayoutEngine | undefined;
  const note = (word: string) => () => void room.log.push(word);
  const room: Room = {
    log: [],
    recognizer: undefined,
    speak: (level) => microphone?.onFrame({ samples: tone(300, 20), level }),
    unplug: () => microphone?.onLost(),
    playMs: (durationMs) => engine?.render(new Float32Array((RATE_HZ * durationMs) / 1000)),
  };
  const devices: CallDevices = {
    openLoudspeaker: async (options: PlayerOptions) => {
      const clears: ((heardMs: number) => void)[] = [];
      engine = new PlayoutEngine(RATE_HZ, (report) => {
        if (report.type === "mark") options.onMark(report.name);
        if (report.type === "cleared") clears.shift()?.(report.heardMs);
      });
      const tell = (command: PlayoutCommand) => engine?.handle(command);
      return {
        play: (samples) => tell({ type: "audio", samples }),
        mark: (name) => tell({ type: "mark", name }),
        startTurn: () => tell({ type: "turn" }),
        clear: () =>
          new Promise((resolve) => {
            clears.push(resolve);
            tell({ type: "clear" });
          }),
        close: async () => note("loudspeaker closed")(),
      };
    },
    openMicrophone: async (options) => {
      if (fault !== "none") throw new MicrophoneError(fault);
      microphone = options;
      return {
        track: undefined,
        mute: note("muted"),
        unmute: note("unmuted"),
        close: async () => note("microphone closed")(),
      };
    },
    createRecognizer: (options) => {
      room.recognizer = options;
      return { start: note("recognizer started"), stop: note("recognizer stopped") };
    },
  };
  return { devices, room };
}

async function talk(options: FakeCallServerOptions & { fault?: MicrophoneFault } = {}) {
  const server = await FakeCallServer.start(options);
  const { devices, room } = devicesWith(options.fault ?? "none");
  let view: CallView = IDLE_VIEW;
  const changes = new EventTarget();
  const call = new TalkCall({
    devices,
    openSession: async () => ({ websocketUrl: server.websocketUrl, agentName: "Ada" }),
    onEvent: (event) => {
      view = nextView(view, event);
      changes.dispatchEvent(new Event("change"));
    },
    onLevel: () => undefined,
  });
  onTestFinished(async () => {
    call.hangUp();
    await server.close();
  });
  const until = async (isTrue: (view: CallView) => boolean) => {
    while (!isTrue(view)) {
      await new Promise((resolve) => changes.addEventListener("change", resolve, { once: true }));
    }
  };
  await call.start("voice");
  const far = await server.nextCall();
  await until(({ phase }) => phase.at === "live");
  /** True once everything sent so far has reached the page. */
  const settle = async () => {
    const turn = view.turns.length + 1;
    far.send({
      type: "metrics",
      turn,
      endOfTurnMs: 0,
      brainRequestMs: 0,
      brainFirstTokenMs: 0,
      firstClauseMs: 0,
      ttsFirstByteMs: 0,
      responseMs: 0,
    });
    await until(({ turns }) => turns.length === turn);
  };
  return { server, call, room, far, until, settle, view: () => view };
}

describe("TalkCall", () => {
  test("sends what the microphone hears and shows that the caller speaks", async () => {
    const { room, far, view, until } = await talk();
    room.speak(0.1);
    await far.until(() => far.audio.length === 1);
    expect(view().callerSpeaking).toBe(true);
    for (let i = 0; i < 20; i++) room.speak(0);
    await until(({ callerSpeaking }) => !callerSpeaking);
  });

  test("echoes a mark when the audio before it was played, not when it came", async () => {
    const { room, far, settle } = await talk();
    far.sendAudio(tone(440, 100));
    far.send({ type: "mark", name: "clause-1" });
    await settle();
    room.playMs(80);
    expect(far.messages.map(({ type }) => type)).toEqual(["start"]);
    room.playMs(20);
    expect(await far.next("mark")).toEqual({ type: "mark", name: "clause-1" });
  });

  test("answers a clear with what was heard of this turn, and never echoes the marks it dropped", async () => {
    const { room, far, settle, call } = await talk();
    far.send({ type: "state", state: "speaking" });
    far.sendAudio(tone(440, 400));
    far.send({ type: "mark", name: "never heard" });
    await settle();
    room.playMs(120);
    far.send({ type: "clear" });
    expect(await far.next("clear")).toEqual({ type: "clear", playedMs: 120 });
    room.playMs(1000);
    call.say("wait");
    await far.next("text");
    expect(far.messages.some(({ type }) => type === "mark")).toBe(false);
  });

  test("counts every agent turn from its own start", async () => {
    const { room, far, settle } = await talk();
    far.sendAudio(tone(440, 200));
    far.send({ type: "state", state: "listening" });
    await settle();
    room.playMs(200);
    far.send({ type: "state", state: "thinking" });
    far.send({ type: "state", state: "speaking" });
    far.sendAudio(tone(440, 200));
    await settle();
    room.playMs(60);
    far.send({ type: "clear" });
    expect(await far.next("clear")).toEqual({ type: "clear", playedMs: 60 });
  });

  test("goes on counting when a turn goes on after a false alarm", async () => {
    const { room, far, settle } = await talk();
    far.send({ type: "state", state: "speaking" });
    far.sendAudio(tone(440, 400));
    await settle();
    room.playMs(100);
    far.send({ type: "state", state: "listening" });
    far.send({ type: "clear" });
    expect(await far.next("clear")).toEqual({ type: "clear", playedMs: 100 });
    far.send({ type: "state", state: "speaking" });
    far.sendAudio(tone(440, 300));
    await settle();
    room.playMs(60);
    far.send({ type: "clear" });
    expect(await far.next("clear")).toEqual({ type: "clear", playedMs: 160 });
  });

  test("plays nothing twice when the gateway sends the rest again after a resume", async () => {
    const { room, far, settle, server, until } = await talk();
    far.sendAudio(tone(440, 400));
    await settle();
    room.playMs(100);
    far.drop();
    await until(({ phase }) => phase.at === "resuming");
    const second = await server.nextCall();
    await until(({ phase }) => phase.at === "live");
    room.playMs(1000);
    second.send({ type: "clear" });
    expect(await second.next("clear")).toEqual({ type: "clear", playedMs: 100 });
  });

  test("goes on by typing when the microphone is refused", async () => {
    const { call, far, view } = await talk({ fault: "refused" });
    expect(view().microphone).toEqual({ is: "failed", fault: "refused" });
    call.say("a table for two");
    expect(await far.next("text")).toEqual({ type: "text", text: "a table for two" });
  });

  test("says so when the microphone is unplugged in mid-call", async () => {
    const { room, view } = await talk();
    room.unplug();
    expect(view().microphone).toEqual({ is: "failed", fault: "lost" });
    expect(room.log).toContain("microphone closed");
  });

  test("uses the browser's recognizer only when nobody at the gateway listens to words", async () => {
    const served = await talk({ recognition: "server" });
    expect(served.room.recognizer).toBeUndefined();
    const { room, far, view } = await talk({ recognition: "client" });
    room.recognizer?.onPartial("I would");
    expect(view().hearing).toBe("I would");
    room.recognizer?.onFinal("I would like tea");
    expect(await far.next("text")).toEqual({ type: "text", text: "I would like tea" });
  });

  test("mutes microphone and recognizer together", async () => {
    const { call, room, view } = await talk({ recognition: "client" });
    call.mute();
    expect(view().microphone).toEqual({ is: "muted" });
    call.unmute();
    expect(view().microphone).toEqual({ is: "on" });
    expect(room.log).toEqual([
      "recognizer started",
      "muted",
      "recognizer stopped",
      "unmuted",
      "recognizer started",
    ]);
  });

  test("closes the microphone when the call ends", async () => {
    const { far, room, until } = await talk();
    far.send({ type: "ended", reason: "agent_end_call" });
    await until(({ phase }) => phase.at === "ended");
    expect(room.log).toContain("microphone closed");
  });

  test("shows why there is no session, and lets the microphone go", async () => {
    const { devices, room } = devicesWith("none");
    let view: CallView = IDLE_VIEW;
    const call = new TalkCall({
      devices,
      openSession: () => Promise.reject(new SessionError("no-demo", "none here")),
      onEvent: (event) => {
        view = nextView(view, event);
      },
      onLevel: () => undefined,
    });
    await call.start("voice");
    expect(view.phase).toEqual({ at: "no-session", fault: "no-demo", message: "none here" });
    expect(room.log).toContain("microphone closed");
  });
});
