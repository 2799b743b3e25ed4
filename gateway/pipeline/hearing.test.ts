import type { CallFrontEnd } from "@parley/media/front-end/allotment.ts";
import { type FrontEndResult, TASK } from "@parley/media/front-end/tasks.ts";
import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { describe, expect, it } from "vitest";
import { Hearing } from "./hearing.ts";

const LOUD = 3_000;
/** -50 dBFS: no speech, but a room that can be heard. */
const HUM = 100;

/** Hearing whose front end and clock are the test's. WebRTC's detector hears voice in every frame that is loud. */
function listen({ isReady = true } = {}) {
  let isGiven = isReady;
  let nowMs = 0;
  let late = 0;
  const asked: { value: number; tasks: number; done: (result: FrontEndResult | undefined) => void }[] = [];
  const heard: { value: number; isVoice: boolean; clean: number }[] = [];
  const frontEnd: CallFrontEnd = {
    detects: () => isGiven,
    denoises: (isNoisy) => isGiven && isNoisy,
    push: (frame, tasks, done) => asked.push({ value: frame[0] as number, tasks, done }),
    close: () => undefined,
  };
  const vad = {
    overhangMs: 0,
    isVoice: (frame: Int16Array) => (frame[0] as number) >= LOUD,
    free: () => undefined,
  };
  const hearing = new Hearing({ vad, frontEnd, now: () => nowMs, onLate: () => late++ });
  /** One frame whose samples all are `value`. */
  const hear = (value: number): void => {
    nowMs += 20;
    hearing.hear(new Int16Array(FRAME_SAMPLES).fill(value), nowMs, ({ original, isVoice, clean }) =>
      heard.push({ value: original[0] as number, isVoice, clean: clean[0] as number }),
    );
  };
  /** A frame was lost; this was made up for it. */
  const lose = (value: number): void => {
    nowMs += 20;
    hearing.lose(new Int16Array(FRAME_SAMPLES).fill(value), nowMs, ({ original, isVoice, clean }) =>
      heard.push({ value: original[0] as number, isVoice, clean: clean[0] as number }),
    );
  };
  /** The front end answers what it was asked so far; what it denoises becomes 1. */
  const answer = (probability: number): void => {
    for (const { done } of asked.splice(0))
      done({ probability, samples: new Int16Array(FRAME_SAMPLES).fill(1) });
  };
  const wait = (ms: number): void => {
    nowMs += ms;
    hearing.tick(nowMs);
  };
  /** The node has room for the call, or has none any more. */
  const give = (isRoom: boolean): void => {
    isGiven = isRoom;
  };
  return { hear, lose, answer, wait, give, asked, heard, late: () => late };
}

const voiced = ({ isVoice }: { isVoice: boolean }): boolean => isVoice;

describe("a quiet line", () => {
  it("costs nothing while nobody speaks: nothing is asked, and each frame is judged at once", () => {
    const line = listen();
    for (let i = 0; i < 100; i++) line.hear(3);
    expect(line.asked).toEqual([]);
    expect(line.heard).toHaveLength(100);
  });

  it("asks the model from the first loud frame on, with what came before it, until 300 ms after the last", () => {
    const line = listen();
    for (const value of [1, 2, 3, 4, LOUD]) line.hear(value);
    expect(line.asked.map(({ value, tasks }) => [value, tasks])).toEqual([
      [2, TASK.detect | TASK.restartDetect],
      [3, TASK.detect],
      [4, TASK.detect],
      [LOUD, TASK.detect],
    ]);
    for (let i = 0; i < 50; i++) line.hear(0);
    expect(line.asked).toHaveLength(4 + 15);
  });

  it("keeps its sound as it is", () => {
    const line = listen();
    for (const value of [3, 3, LOUD, LOUD]) line.hear(value);
    line.answer(0.9);
    expect(line.heard.map(({ clean }) => clean)).toEqual([3, 3, LOUD, LOUD]);
  });
});

describe("a judged frame", () => {
  it("is voice where the detector and the model hear it, and not where the model takes it for something else", () => {
    const line = listen();
    for (const p of [0.2, 0.9, 0.4, 0.3, 0.4]) {
      line.hear(LOUD);
      line.answer(p);
    }
    // On from 0.5, off below 0.35.
    expect(line.heard.map(voiced)).toEqual([false, true, true, false, false]);
  });

  it("comes after those before it, though it needs no model itself", () => {
    const line = listen();
    for (let i = 0; i < 20; i++) line.hear(i === 0 ? LOUD : i);
    expect(line.heard).toEqual([]);
    line.answer(0.9);
    expect(line.heard.map(({ value }) => value)).toEqual([
      LOUD,
      ...Array.from({ length: 19 }, (_, i) => i + 1),
    ]);
  });

  it("is no voice at once where the detector hears none, and the model only hears it for those that follow", () => {
    const line = listen();
    line.hear(0);
    line.hear(LOUD);
    line.answer(0.9);
    line.hear(0);
    expect(line.asked.map(({ tasks }) => tasks)).toEqual([TASK.detect | TASK.unasked]);
    expect(line.heard.map(voiced)).toEqual([false, true, false]);
  });

  it("is what is left of it without the noise, in a room that can be heard", () => {
    const line = listen();
    for (let i = 0; i < 5; i++) line.hear(HUM);
    expect(line.asked.every(({ tasks }) => (tasks & TASK.denoise) !== 0)).toBe(true);
    expect(line.asked[0]?.tasks).toBe(TASK.denoise | TASK.restartDenoise);
    line.answer(0);
    expect(line.heard).toEqual(Array.from({ length: 5 }, () => ({ value: HUM, isVoice: false, clean: 1 })));
  });
});

describe("a frame that was lost", () => {
  it("has what was made up for it in its place, freed of the noise as well, and is never voice", () => {
    const line = listen();
    for (let i = 0; i < 20; i++) line.hear(HUM);
    line.hear(LOUD);
    line.answer(0.9);
    line.lose(LOUD - 1);
    line.hear(LOUD);
    line.answer(0.9);
    expect(line.heard.slice(-3)).toEqual([
      { value: LOUD, isVoice: true, clean: 1 },
      { value: LOUD - 1, isVoice: false, clean: 1 },
      { value: LOUD, isVoice: true, clean: 1 },
    ]);
  });
});

describe("a node that fills up in the middle of a sentence", () => {
  it("neither loses a frame nor hears one twice, then or when it has room again", () => {
    const line = listen();
    const values = Array.from({ length: 15 }, (_, i) => LOUD + i);
    for (const value of values.slice(0, 5)) line.hear(value);
    line.give(false);
    for (const value of values.slice(5, 10)) line.hear(value);
    line.answer(0.9);
    line.give(true);
    for (const value of values.slice(10)) line.hear(value);
    line.answer(0.9);
    expect(line.heard.map(({ value }) => value)).toEqual(values);
    expect(line.heard.map(({ clean }) => clean)).toEqual([
      ...Array<number>(5).fill(1),
      ...values.slice(5, 10),
      ...Array<number>(5).fill(1),
    ]);
  });
});

describe("a front end that fails", () => {
  it("leaves the verdict to the detector and the sound as it is, when it has no answer", () => {
    const line = listen();
    for (let i = 0; i < 3; i++) line.hear(LOUD);
    for (const { done } of line.asked.splice(0)) done(undefined);
    expect(line.heard).toEqual(
      Array.from({ length: 3 }, () => ({ value: LOUD, isVoice: true, clean: LOUD })),
    );
  });

  it("is not waited for longer than 200 ms, is left alone for 3 s, and what it says late is not heard", () => {
    const line = listen();
    line.hear(LOUD);
    line.wait(190);
    expect(line.heard).toEqual([]);
    line.wait(20);
    expect(line.heard.map(voiced)).toEqual([true]);
    expect(line.late()).toBe(1);
    line.answer(0);
    for (let i = 0; i < 100; i++) line.hear(LOUD);
    expect(line.asked).toEqual([]);
    expect(line.heard).toHaveLength(101);
    line.wait(1_000);
    line.hear(LOUD);
    expect(line.asked.length).toBeGreaterThan(0);
  });

  it("is never asked before it is ready", () => {
    const line = listen({ isReady: false });
    for (let i = 0; i < 10; i++) line.hear(LOUD);
    expect(line.asked).toEqual([]);
    expect(line.heard.every(voiced)).toBe(true);
  });
});
