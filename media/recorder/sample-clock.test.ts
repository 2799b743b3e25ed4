import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SampleClock } from "./sample-clock.ts";

const FRAME = 320;
const start = () => new SampleClock({ startMs: 1_000 });
/** Places one 20 ms frame that arrives `ms` after the clock's start. */
const placeAt = (clock: SampleClock, ms: number, samples = FRAME) => ({
  ...clock.place(1_000 + ms, samples),
});

describe("the sample clock", () => {
  it("keeps frames together while their arrival jitters", () => {
    const clock = start();
    const arrivals = [20, 45, 59, 130, 131, 132, 140, 260, 261];
    expect(arrivals.map((ms) => placeAt(clock, ms).at)).toEqual(arrivals.map((_, i) => i * FRAME));
  });

  it("jumps over a gap to where the clock is", () => {
    const clock = start();
    placeAt(clock, 20);
    expect(placeAt(clock, 5_020)).toEqual({ at: 80_000, trim: 0 });
    expect(placeAt(clock, 5_040)).toEqual({ at: 80_320, trim: 0 });
  });

  it("begins where the first audio was captured", () => {
    expect(placeAt(start(), 700)).toEqual({ at: 680 * 16, trim: 0 });
    expect(placeAt(start(), 5)).toEqual({ at: 0, trim: 0 });
  });

  it("trims what runs ahead of the clock by more than the tolerance", () => {
    const clock = start();
    const burst = Array.from({ length: 30 }, () => placeAt(clock, 20));
    const kept = burst.reduce((sum, { trim }) => sum + FRAME - trim, 0);
    expect(kept).toBe(220 * 16);
    expect(burst.at(-1)).toEqual({ at: 220 * 16, trim: FRAME });
  });

  it("follows a sender whose clock is 1 % fast without drifting", () => {
    const clock = start();
    let end = 0;
    for (let i = 1; i <= 10_000; i++) {
      const { at, trim } = placeAt(clock, i * 19.8);
      end = at + FRAME - trim;
    }
    expect(Math.abs(end - clock.positionAt(1_000 + 10_000 * 19.8))).toBeLessThanOrEqual(200 * 16);
  });

  it("never overlaps and never leaves the tolerance, whatever arrives", () => {
    const arrival = fc.record({
      waitMs: fc.integer({ min: 0, max: 900 }),
      samples: fc.integer({ min: 0, max: 1_600 }),
    });
    fc.assert(
      fc.property(fc.array(arrival, { maxLength: 60 }), (arrivals) => {
        const clock = start();
        let nowMs = 1_000;
        let end = 0;
        for (const { waitMs, samples } of arrivals) {
          nowMs += waitMs;
          const { at, trim } = clock.place(nowMs, samples);
          expect(at).toBeGreaterThanOrEqual(end);
          expect(trim).toBeGreaterThanOrEqual(0);
          expect(trim).toBeLessThanOrEqual(samples);
          end = at + samples - trim;
          // A first frame longer than the clock has run begins at 0 all the same.
          if (trim < samples)
            expect(end).toBeLessThanOrEqual(Math.max(clock.positionAt(nowMs), samples) + 200 * 16);
        }
      }),
    );
  });
});
