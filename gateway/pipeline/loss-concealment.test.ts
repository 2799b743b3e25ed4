import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { describe, expect, it } from "vitest";
import { LossConcealment } from "./loss-concealment.ts";

const MADE_UP = "made up";
/** Everything that was spoken, in its order. */
const all = (frames: number): number[] => Array.from({ length: frames }, (_, i) => i);

/** A tone whose frames arrive when `arriveMs` says, undefined for one that is lost; gives the order in which frames are placed. */
function deliver(frames: number, arriveMs: (frame: number) => number | undefined) {
  const placed: (number | string)[] = [];
  const samples: number[] = [];
  let next = 0;
  const losses = new LossConcealment({
    place: (_nowMs, frame) => {
      placed.push(next++);
      while (next < frames && arriveMs(next) === undefined) next += 1;
      samples.push(...frame);
    },
    fill: (filled) => {
      placed.push(`${MADE_UP} ${filled.length / FRAME_SAMPLES}`);
      samples.push(...filled);
    },
  });
  const due = all(frames).filter((frame) => arriveMs(frame) !== undefined);
  next = due[0] ?? 0;
  for (let nowMs = 0; nowMs <= (frames + 10) * FRAME_MS; nowMs += 5) {
    while (due.length > 0 && (arriveMs(due[0] as number) as number) <= nowMs) {
      losses.push(nowMs, toneFrame(due.shift() as number));
    }
    if (nowMs % FRAME_MS === 0) losses.tick(nowMs);
  }
  return { placed, samples };
}

const toneAt = (sample: number): number =>
  Math.round(8_000 * Math.sin((2 * Math.PI * 150 * sample) / 16_000));
const toneFrame = (frame: number): Int16Array =>
  Int16Array.from({ length: FRAME_SAMPLES }, (_, i) => toneAt(frame * FRAME_SAMPLES + i));
const spoken = (frame: number): number => (frame + 1) * FRAME_MS;
const without =
  (...lost: number[]) =>
  (frame: number): number | undefined =>
    lost.includes(frame) ? undefined : spoken(frame);

describe("a line that is punctual", () => {
  it.each([1, 2, 3])("has %i frames made up that never came, where they are missing", (count) => {
    const lost = [20, 21, 22].slice(0, count);
    const { placed } = deliver(40, without(...lost));
    const came = all(40).filter((frame) => !lost.includes(frame));
    expect(placed).toEqual([...came.slice(0, 20), `${MADE_UP} ${count}`, ...came.slice(20)]);
  });

  it("has its voice go on through the gap as it was", () => {
    const { samples } = deliver(40, without(20));
    const gap = samples.slice(20 * FRAME_SAMPLES, 21 * FRAME_SAMPLES);
    const wrong = gap.map((sample, i) => Math.abs(sample - toneAt(20 * FRAME_SAMPLES + i)));
    expect(Math.max(...wrong)).toBeLessThan(3_500);
    const edges = [20 * FRAME_SAMPLES, 21 * FRAME_SAMPLES];
    for (const at of edges) {
      expect(Math.abs((samples[at] as number) - (samples[at - 1] as number))).toBeLessThan(1_000);
    }
  });

  it("has each loss made up, when one follows the other", () => {
    const { placed } = deliver(40, without(20, 22));
    expect(placed.filter((item) => item === `${MADE_UP} 1`)).toHaveLength(2);
    expect(placed.filter((item) => typeof item === "number")).toHaveLength(38);
  });

  it.each([4, 25])(
    "has nothing made up for %i frames: that would be a word nobody said, or a muted app",
    (count) => {
      const { placed } = deliver(80, (frame) =>
        frame >= 20 && frame < 20 + count ? undefined : spoken(frame),
      );
      expect(placed.every((item) => typeof item === "number")).toBe(true);
    },
  );
});

describe("a line that delays", () => {
  it.each<[what: string, arriveMs: (frame: number) => number]>([
    ["one frame for a moment", (frame) => spoken(frame) + (frame === 20 ? 20 : 0)],
    ["in bursts of 100 ms", (frame) => Math.ceil(spoken(frame) / 100) * 100],
    [
      "by a stall of a second",
      (frame) => (spoken(frame) > 300 && spoken(frame) < 1_300 ? 1_300 : spoken(frame)),
    ],
    ["every second frame", (frame) => spoken(frame) + (frame % 2) * 15],
  ])("%s loses nothing, and nothing is made up", (_what, arriveMs) => {
    expect(deliver(80, arriveMs).placed).toEqual(all(80));
  });

  it.each<[what: string, lateMs: (frame: number) => number]>([
    ["every frame a little", (frame) => (frame * 7) % 12],
    ["one of twenty by as much as was lost", (frame) => (frame % 20 === 0 ? 20 : 0)],
  ])("%s still has made up what it lost", (_what, lateMs) => {
    const { placed } = deliver(40, (frame) => (frame === 30 ? undefined : spoken(frame) + lateMs(frame)));
    expect(placed.filter((item) => typeof item === "string")).toEqual([`${MADE_UP} 1`]);
    expect(placed.indexOf(`${MADE_UP} 1`)).toBe(30);
  });

  it("often is not taken to lose anything, until it has brought its audio in time for a second or two", () => {
    const lost = [40, 200];
    const { placed } = deliver(220, (frame) => {
      if (lost.includes(frame)) return undefined;
      return spoken(frame) + (frame < 36 && frame % 6 === 0 ? 20 : 0);
    });
    expect(placed.filter((item) => typeof item === "string")).toEqual([`${MADE_UP} 1`]);
    expect(placed.indexOf(`${MADE_UP} 1`)).toBe(199);
  });
});

it("places what stood behind a gap, though nothing comes after it", () => {
  const { placed } = deliver(22, without(20));
  expect(placed).toEqual([...all(20), 21]);
});
