import type { CallFrontEnd } from "@parley/media/front-end/allotment.ts";
import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import type { SttEvent } from "@parley/media/stt/port.ts";
import { ClearVoice } from "@parley/media/vad/clear-voice.ts";
import { VoiceActivity } from "@parley/media/vad/voice-activity.ts";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../turn/turn-state.ts";
import { AudioInput } from "./audio-input.ts";
import { Hearing } from "./hearing.ts";
import { OwnHearing } from "./own-hearing.ts";

/** AudioInput whose line, clock and recognizer are the test's; each frame that is spoken has a number. */
function listen(frontEnd?: CallFrontEnd) {
  let nowMs = 0;
  const heard: number[] = [];
  const events: TurnEvent[] = [];
  let finalizes = 0;
  let emit: (event: SttEvent) => void = () => undefined;
  const input = new AudioInput({
    hearing: new Hearing({
      vad: { overhangMs: 0, isVoice: (frame) => frame[0] !== 0, free: () => undefined },
      frontEnd,
      now: () => nowMs,
      onLate: () => undefined,
    }),
    activity: new VoiceActivity({ detectorOverhangMs: 0 }),
    clarity: new ClearVoice(),
    own: new OwnHearing({ leadMs: 0, behindMs: () => 0 }),
    openStt: (onEvent) => {
      emit = onEvent;
      return {
        feed: "stream",
        hasInterims: true,
        answersWithinMs: undefined,
        write: (frame) => heard.push(frame[0] as number),
        finalize: () => {
          finalizes += 1;
        },
        close: () => undefined,
      };
    },
    now: () => nowMs,
    onEvent: (event) => {
      if (event.type !== "voice_runs") events.push(event);
    },
    onFrame: () => undefined,
    onSttFailed: () => undefined,
    onSttRecovered: () => undefined,
    onFinal: () => undefined,
  });
  /** Time passes to `ms`; frames come when `arriveMs` says, one by one in their order; one that is lost does at -1. */
  const run = (ms: number, arriveMs: (frame: number) => number, voiced: (frame: number) => boolean) => {
    const due = Array.from({ length: Math.floor(ms / FRAME_MS) }, (_, i) => i);
    for (; nowMs <= ms; nowMs += 5) {
      while (due.length > 0 && arriveMs(due[0] as number) <= nowMs) {
        const frame = due.shift() as number;
        if (arriveMs(frame) === LOST) continue;
        input.hear(new Int16Array(FRAME_SAMPLES).fill(voiced(frame) ? 1_000 + frame : 0));
      }
      if (nowMs % FRAME_MS === 0) input.tick(nowMs);
    }
  };
  return { input, run, heard, events, finalizes: () => finalizes, say: (event: SttEvent) => emit(event) };
}

const LOST = -1;
const spoken = (frame: number): number => (frame + 1) * FRAME_MS;
/** Said from 1 s to 3 s. */
const sentence = (frame: number): boolean => frame >= 50 && frame < 150;
const WORDS = Array.from({ length: 100 }, (_, i) => 1_050 + i);

describe("a line that stalls", () => {
  it.each([200, 300, 400, 500])(
    "brings the recognizer every word once and in order in bursts of %i ms",
    (ms) => {
      const line = listen();
      line.run(6_000, (frame) => Math.ceil(spoken(frame) / ms) * ms, sentence);
      expect(line.heard.filter((value) => value !== 0)).toEqual(WORDS);
      expect(line.heard.slice(60, 140)).not.toContain(0);
      expect(line.events).toEqual([
        expect.objectContaining({ type: "voice_started", atMs: 1_000 }),
        expect.objectContaining({ type: "voice_ended", atMs: 3_000 }),
      ]);
    },
  );

  it("ends the voice of an app that was muted in mid-word, where its audio ended", () => {
    const line = listen();
    const muted = (frame: number): number => (frame < 100 ? spoken(frame) : Number.POSITIVE_INFINITY);
    line.run(3_000, muted, sentence);
    expect(line.events.at(-1)).toMatchObject({ type: "voice_ended", atMs: 2_000 });
    expect(line.heard).not.toContain(undefined);
    expect(line.heard.filter((value) => value === 0)).toHaveLength(50);
  });

  it("does not know what the caller does while a line that has stalled before brings nothing", () => {
    const stall = (frame: number): number => {
      const ms = spoken(frame);
      if (ms > 200 && ms < 1_000) return 1_000;
      return ms > 3_100 ? Number.POSITIVE_INFINITY : ms;
    };
    const line = listen();
    line.run(3_100, stall, sentence);
    expect([3_150, 3_250, 4_000, 4_400].map((ms) => line.input.isUnsure(ms))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    const even = listen();
    even.run(3_100, (frame) => (spoken(frame) > 3_100 ? Number.POSITIVE_INFINITY : spoken(frame)), sentence);
    expect(even.input.isUnsure(3_250)).toBe(false);
  });

  it("does not know what the caller does until what came out of a stall is judged", () => {
    const asked: (() => void)[] = [];
    const line = listen({
      detects: () => true,
      denoises: () => false,
      push: (_frame, _tasks, done) => asked.push(() => done({ probability: 1, samples: new Int16Array() })),
      close: () => undefined,
    });
    const bursts = (frame: number): number => Math.ceil(spoken(frame) / 400) * 400;
    line.run(1_200, bursts, sentence);
    expect(line.input.isUnsure(1_210)).toBe(true);
    for (const answer of asked.splice(0)) answer();
    expect(line.events).toMatchObject([{ type: "voice_started" }]);
    expect(line.input.isUnsure(1_210)).toBe(false);
  });

  it("gives the recognizer no silence of its own, and the late words once, after a stall beyond all patience", () => {
    const line = listen();
    const stalled = (frame: number): number =>
      spoken(frame) > 2_000 && spoken(frame) < 3_000 ? 3_000 : spoken(frame);
    line.run(5_000, stalled, sentence);
    expect(line.heard.filter((value) => value !== 0)).toEqual(WORDS);
    expect(line.heard.slice(50, 150)).toEqual(WORDS);
  });
});

describe("a line that loses frames", () => {
  const lost = (frame: number): boolean => [70, 100, 101].includes(frame);

  it("gives the recognizer something in their place, and hears a voice begin and end when it did", () => {
    const line = listen();
    line.run(5_000, (frame) => (lost(frame) ? LOST : spoken(frame)), sentence);
    const words = line.heard.slice(50, 150);
    expect(words.map((value, i) => (lost(50 + i) ? "made up" : value))).toEqual(
      WORDS.map((value, i) => (lost(50 + i) ? "made up" : value)),
    );
    expect([words[20], words[50], words[51]].every((value) => (value as number) > 300)).toBe(true);
    expect(line.events).toEqual([
      expect.objectContaining({ type: "voice_started", atMs: 1_000 }),
      expect.objectContaining({ type: "voice_ended", atMs: 3_000 }),
    ]);
  });

  it("hears no voice in what was made up", () => {
    const line = listen();
    const click = (frame: number): boolean => frame === 49 || frame === 51;
    line.run(2_000, (frame) => (frame === 50 ? LOST : spoken(frame)), click);
    expect(line.events).toEqual([]);
  });
});
