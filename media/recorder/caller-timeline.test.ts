import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallerTimeline } from "./caller-timeline.ts";

const FRAME = 320;
const FRAME_MS = 20;

/**
 * A caller whose frames are delivered at `arrivalsMs`, with a pause every fifth second; gives where each frame was put.
 */
function deliver(arrivalsMs: readonly number[], options: { loud?: (frame: number) => boolean } = {}) {
  const { loud = (frame) => frame % 250 < 200 } = options;
  const placed: { frame: number; at: number }[] = [];
  let samplesPlaced = 0;
  const timeline = new CallerTimeline({
    startMs: 0,
    write: (at, samples) => {
      placed.push({ frame: written, at });
      samplesPlaced += samples.length;
    },
  });
  let written = 0;
  const queue: number[] = [];
  const lastMs = Math.max(...arrivalsMs) + 100;
  let next = 0;
  for (let nowMs = 0; nowMs <= lastMs; nowMs += 5) {
    while (next < arrivalsMs.length && (arrivalsMs[next] as number) <= nowMs) {
      queue.push(next);
      written = next;
      timeline.push(nowMs, new Int16Array(FRAME).fill(loud(next) ? 9_000 : 0));
      next += 1;
    }
    if (nowMs % FRAME_MS === 0) timeline.tick(nowMs);
  }
  timeline.end();
  return { placed, samplesPlaced };
}

/** When the network delivers frame `i`, which was spoken from `i * 20` to `i * 20 + 20`. */
const spokenMs = (i: number): number => (i + 1) * FRAME_MS;
const frames = (seconds: number): number[] => Array.from({ length: seconds * 50 }, (_, i) => i);
/** Nothing comes through from `fromMs` for `ms`; then all of it at once. */
const stalled = (fromMs: number, ms: number) => (i: number) => {
  const dueMs = spokenMs(i);
  return dueMs > fromMs && dueMs < fromMs + ms ? fromMs + ms : dueMs;
};
/** Delivery in bursts: everything of the last `ms` at once. */
const bursts = (ms: number) => (i: number) => Math.ceil(spokenMs(i) / ms) * ms;

describe("the caller's timeline", () => {
  it("puts audio one behind the other while its arrival jitters", () => {
    const arrivals = frames(20).map((i) => spokenMs(i) + ((i * 7) % 5) * 10);
    const { placed } = deliver(arrivals);
    expect(placed.map(({ at }) => at)).toEqual(placed.map((_, i) => i * FRAME));
  });

  it.each([300, 500, 1_000])("puts what a stall of %i ms held back where it was spoken", (ms) => {
    const { placed, samplesPlaced } = deliver(frames(10).map(stalled(4_000, ms)));
    expect(samplesPlaced).toBe(500 * FRAME);
    expect(placed.map(({ at }) => at)).toEqual(frames(10).map((i) => i * FRAME));
  });

  it.each([200, 300, 400, 500])("puts bursts of %i ms where they were spoken", (ms) => {
    const { placed, samplesPlaced } = deliver(frames(60).map(bursts(ms)));
    expect(samplesPlaced).toBe(3_000 * FRAME);
    const [first] = placed;
    expect(placed.map(({ at }) => at)).toEqual(placed.map((_, i) => (first?.at ?? 0) + i * FRAME));
  });

  it("gives the audio of a stall out as soon as all of it is there", () => {
    const written: number[] = [];
    let nowMs = 0;
    const timeline = new CallerTimeline({ startMs: 0, write: () => written.push(nowMs) });
    for (const i of frames(3)) {
      const dueMs = stalled(1_000, 1_000)(i);
      for (; nowMs < dueMs; nowMs += FRAME_MS) timeline.tick(nowMs);
      timeline.push(nowMs, new Int16Array(FRAME).fill(9_000));
    }
    expect(written.filter((ms) => ms === 2_000)).toHaveLength(50);
    expect(written.filter((ms) => ms > 2_000)).toHaveLength(50);
  });

  it("fills in for single frames that were lost in the next pause, not inside a word", () => {
    const arrivals = frames(10).filter((i) => i % 50 !== 10);
    const loud = (i: number): boolean => (arrivals[i] ?? 0) % 250 < 200;
    const { placed } = deliver(arrivals.map(spokenMs), { loud });
    const at = (i: number): number => placed[arrivals.indexOf(i)]?.at ?? 0;
    // Four frames are missing before the first pause, and no silence is put between those that came.
    expect(at(199)).toBe((199 - 4) * FRAME);
    expect(at(209)).toBe(209 * FRAME);
  });

  it("leaves a gap where nothing was spoken", () => {
    const muted = frames(10).map((i) => (i < 250 ? spokenMs(i) : spokenMs(i) + 3_000));
    const { placed } = deliver(muted);
    expect(placed[249]?.at).toBe(249 * FRAME);
    expect(placed[250]?.at).toBe(250 * FRAME + 3_000 * 16);
  });

  it("leaves a gap where a stall has lost what was spoken", () => {
    const lost = frames(10)
      .map(stalled(4_000, 1_000))
      .filter((_, i) => i < 200 || i >= 225);
    const { placed, samplesPlaced } = deliver(lost);
    expect(samplesPlaced).toBe(475 * FRAME);
    expect(placed[200]?.at).toBe(225 * FRAME);
  });

  it.each([
    [1.0002, 20],
    [0.9998, 20],
    [1.005, 60],
    [0.995, 60],
  ])("follows a sender whose clock runs at %f of ours, never more than %i ms off", (rate, mostMs) => {
    const arrivals = frames(600).map((i) => Math.round(spokenMs(i) / rate));
    const { placed } = deliver(arrivals);
    const offMs = placed.map(({ at, frame }) => at / 16 - ((arrivals[frame] as number) - FRAME_MS));
    expect(Math.max(...offMs.map(Math.abs))).toBeLessThanOrEqual(mostMs);
    expect(placed.length).toBeGreaterThan(29_000);
  });

  it("mends a drift in the pauses only", () => {
    const arrivals = frames(60).map((i) => Math.round(spokenMs(i) / 1.0005));
    const { placed } = deliver(arrivals);
    const jumps = placed.flatMap(({ at }, i) =>
      i > 0 && at !== (placed[i - 1]?.at ?? 0) + FRAME ? [i] : [],
    );
    expect(jumps.every((i) => i % 250 >= 200 || i % 250 === 0)).toBe(true);
  });

  it("never overlaps, never goes back and places nothing twice, whatever arrives", () => {
    const arrival = fc.record({
      waitMs: fc.integer({ min: 0, max: 900 }),
      samples: fc.integer({ min: 1, max: 1_600 }),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
        let end = 0;
        let placed = 0;
        const timeline = new CallerTimeline({
          startMs: 0,
          write: (at, samples) => {
            expect(at).toBeGreaterThanOrEqual(end);
            end = at + samples.length;
            placed += samples.length;
          },
        });
        let nowMs = 0;
        for (const { waitMs, samples } of arrivals) {
          nowMs += waitMs;
          timeline.tick(nowMs);
          timeline.push(nowMs, new Int16Array(samples));
        }
        timeline.end();
        expect(placed).toBeLessThanOrEqual(arrivals.reduce((sum, { samples }) => sum + samples, 0));
      }),
    );
  });
});
