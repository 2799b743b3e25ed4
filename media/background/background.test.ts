import { describe, expect, it } from "vitest";
import { levelOf } from "../level/level-of.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { Background } from "./background.ts";
import { backgroundLoop, type MadeSound } from "./sounds.ts";
import { withBackground } from "./with-background.ts";

const SOUNDS: readonly MadeSound[] = ["office", "cafe", "call-center"];

function frames(background: Background, count: number, frame = new Int16Array(FRAME_SAMPLES)): Int16Array {
  const heard = new Int16Array(count * FRAME_SAMPLES);
  for (let i = 0; i < count; i++) heard.set(background.under(frame), i * FRAME_SAMPLES);
  return heard;
}

function turnedOn(loop: Int16Array, volumeDb = 0): Background {
  const background = new Background(volumeDb);
  background.play(loop);
  background.turn("on");
  frames(background, 25);
  return background;
}

/** The largest step from one sample to the next. */
function steepest(samples: Int16Array): number {
  return samples.reduce(
    (most, sample, i) => Math.max(most, Math.abs(sample - (samples[i - 1] ?? sample))),
    0,
  );
}

describe("the sounds of places", () => {
  it.each(SOUNDS)(
    "%s is as loud as a room behind a voice, and nothing in it is as loud as somebody near",
    async (sound) => {
      const loop = await backgroundLoop(sound);
      const heard = frames(turnedOn(loop), loop.length / FRAME_SAMPLES);
      expect(levelOf(heard)).toBeCloseTo(-46, 0);
      const loudest = heard.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(loudest).toBeLessThan(32_768 * 10 ** (-34 / 20));
    },
  );

  it.each(SOUNDS)("%s goes around without a seam", async (sound) => {
    const loop = await backgroundLoop(sound);
    const seam = Int16Array.of(...loop.slice(-400), ...loop.slice(0, 400));
    const inside = Array.from({ length: 100 }, (_, i) => steepest(loop.slice(i * 3_000, i * 3_000 + 800)));
    expect(steepest(seam)).toBeLessThanOrEqual(Math.max(...inside));
  });

  it("are three different ones, each made once", async () => {
    const [office, cafe, center] = await Promise.all(SOUNDS.map(backgroundLoop));
    expect(new Set([office?.[1_000], cafe?.[1_000], center?.[1_000]]).size).toBe(3);
    expect(await backgroundLoop("office")).toBe(office);
  });
});

describe("a background", () => {
  it("comes within half a second and goes within half a second, without a click", async () => {
    const loop = await backgroundLoop("office");
    const background = new Background(0);
    background.play(loop);
    expect(background.isSilent).toBe(true);
    background.turn("on");
    const coming = frames(background, 25);
    const there = frames(background, 25);
    background.turn("off");
    const going = frames(background, 25);
    expect(background.isSilent).toBe(true);
    expect(levelOf(coming.subarray(0, FRAME_SAMPLES))).toBeLessThan(levelOf(there) - 20);
    expect(levelOf(going.subarray(-FRAME_SAMPLES))).toBeLessThan(levelOf(there) - 20);
    const whole = Int16Array.of(...coming, ...there, ...going);
    expect(steepest(whole)).toBeLessThanOrEqual(steepest(frames(turnedOn(loop), 1_200)) + 2);
  });

  it("is nothing until its sound is made", () => {
    const background = new Background(0);
    background.turn("on");
    const frame = new Int16Array(FRAME_SAMPLES).fill(7);
    expect(background.isSilent).toBe(true);
    expect(background.under(frame)).toBe(frame);
  });

  it("is louder and softer by its volume", async () => {
    const loop = await backgroundLoop("cafe");
    const [normal, loud, soft] = [0, 6, -20].map((db) => levelOf(frames(turnedOn(loop, db), 1_000)));
    expect((loud ?? 0) - (normal ?? 0)).toBeCloseTo(6, 1);
    expect((normal ?? 0) - (soft ?? 0)).toBeCloseTo(20, 0);
  });

  it("stays within full scale under the loudest voice", () => {
    const background = turnedOn(new Int16Array(1_600).fill(32_767), 6);
    expect(new Set(frames(background, 3, new Int16Array(FRAME_SAMPLES).fill(32_767)))).toEqual(
      new Set([32_767]),
    );
  });
});

it("a sample has the background alone before the voice and after it", async () => {
  const voice = new Int16Array(32_123).fill(5_000);
  const heard = await withBackground(voice, { sound: "cafe", volumeDb: 0 });
  expect(heard).toHaveLength(voice.length + 32_000);
  expect(levelOf(heard.subarray(8_000, 16_000))).toBeGreaterThan(-52);
  expect(heard[-1 + 16_000]).toBeLessThan(1_000);
  expect(levelOf(heard.subarray(-160))).toBeLessThan(-60);
  expect(await withBackground(voice, { sound: "none", volumeDb: 0 })).toBe(voice);
});
