import { systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { music, overNoise } from "../../testkit/noise.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { Allotment } from "./allotment.ts";
import { FrontEnd } from "./front-end.ts";
import { type FrontEndResult, TASK } from "./tasks.ts";

const problems: string[] = [];
const frontEnd = new FrontEnd({
  clock: systemClock,
  onAnswer: () => undefined,
  onFailed: (problem) => problems.push(problem),
});
const AUTO = { noiseSuppression: "auto", vad: "auto" } as const;

beforeAll(async () => {
  while (!frontEnd.isReady) await new Promise(setImmediate);
});
afterAll(() => frontEnd.close());

/** Every frame of a sound through the front end. */
function through(sound: Int16Array, tasks: number): Promise<(FrontEndResult | undefined)[]> {
  const stream = frontEnd.open();
  const frames = Math.floor(sound.length / FRAME_SAMPLES);
  const results: (FrontEndResult | undefined)[] = [];
  return new Promise((resolve) => {
    for (let i = 0; i < frames; i++) {
      stream.push(sound.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES), tasks, (result) => {
        results.push(result && { ...result, samples: result.samples.slice() });
        if (results.length === frames) resolve(results);
      });
    }
    stream.close();
  });
}

describe("the front end's thread", () => {
  it("answers every frame of every call once and in order, whatever is asked of it", async () => {
    const speech = await flite("Hello there, how are you?");
    const song = music(speech.length);
    const [spoken, sung, kept] = await Promise.all([
      through(overNoise(speech, song, { snrDb: 10, fromMs: 0 }), TASK.detect | TASK.denoise),
      through(song, TASK.detect),
      through(speech, TASK.detect),
    ]);
    expect(spoken.filter((result) => (result?.probability ?? 0) >= 0.5).length).toBeGreaterThan(
      spoken.length / 2,
    );
    expect(sung.every((result) => result && result.probability < 0.35)).toBe(true);
    for (const [i, result] of kept.entries()) {
      expect(result?.samples).toEqual(speech.subarray(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES));
    }
  });
});

describe("a node's share of it", () => {
  const busy = { threadBusy: 1, loopBusy: 0, slowestMs: 0, callShare: 0 };

  it("goes to noisy rooms, and to the calls that had it first when there is less", () => {
    const allotment = new Allotment(frontEnd);
    const calls = Array.from({ length: 6 }, () => allotment.open(AUTO));
    expect(calls.map((call, i) => call.denoises(i < 3))).toEqual([true, true, true, false, false, false]);
    allotment.look(busy);
    allotment.look(busy);
    expect(calls.map((call) => call.denoises(true))).toEqual([true, true, false, false, false, false]);
    expect(allotment.counts).toEqual({ denoised: 2, neural: 6, webrtc: 0 });
    for (const call of calls) call.close();
    expect(allotment.counts).toEqual({ denoised: 0, neural: 0, webrtc: 0 });
  });

  it("is what the agent asks for, on a full node as well", () => {
    const allotment = new Allotment(frontEnd);
    const on = allotment.open({ noiseSuppression: "on", vad: "neural" });
    const off = allotment.open({ noiseSuppression: "off", vad: "webrtc" });
    const auto = allotment.open(AUTO);
    for (let look = 0; look < 4; look++) allotment.look(busy);
    expect([on, off, auto].map((call) => call.detects())).toEqual([true, false, false]);
    expect([on, off, auto].map((call) => call.denoises(true))).toEqual([true, false, false]);
    expect(on.denoises(false)).toBe(true);
  });
});

describe("a front end whose thread is gone", () => {
  it("gives back what it was asked without an answer", async () => {
    const dying = new FrontEnd({ clock: systemClock, onAnswer: () => undefined, onFailed: () => undefined });
    while (!dying.isReady) await new Promise(setImmediate);
    const stream = dying.open();
    const answer = new Promise((resolve) => stream.push(new Int16Array(FRAME_SAMPLES), TASK.detect, resolve));
    await dying.close();
    await expect(answer).resolves.toBeUndefined();
    stream.push(new Int16Array(FRAME_SAMPLES), TASK.detect, (result) => expect(result).toBeUndefined());
    expect(dying.isReady).toBe(false);
    expect(problems).toEqual([]);
  });
});
