import { describe, expect, it } from "vitest";
import { GapPatience } from "./gap-patience.ts";

const FRAME = 320;
/** Twenty frames in real time, then nothing for `pauseMs`, then `burst` frames at once. */
function after({ pauseMs, burst }: { pauseMs: number; burst: number }): GapPatience {
  const patience = new GapPatience();
  for (let i = 0; i < 20; i++) patience.arrived(i * 20, FRAME);
  for (let i = 0; i < burst; i++) patience.arrived(380 + pauseMs, FRAME);
  return patience;
}

describe("audio that stays away", () => {
  it("is held up for as long as the line is given, where it has stalled before", () => {
    const stalled = after({ pauseMs: 800, burst: 40 });
    expect([50, 500, 1_199, 1_200].map((gapMs) => stalled.holds(gapMs))).toEqual([false, true, true, false]);
    expect(after({ pauseMs: 5_000, burst: 1 }).holds(500)).toBe(false);
  });
});

describe("how long audio may stay away before it is silence", () => {
  it("is 600 ms on a line that was never seen to stall", () => {
    expect(after({ pauseMs: 20, burst: 1 }).ms).toBe(600);
    expect(after({ pauseMs: 5_000, burst: 1 }).ms).toBe(600);
  });

  it("is longer than the longest stall that the line caught up with", () => {
    expect(after({ pauseMs: 800, burst: 40 }).ms).toBe(1_200);
    expect(after({ pauseMs: 500, burst: 25 }).ms).toBe(750);
  });

  it("is never longer than a second and a half", () => {
    expect(after({ pauseMs: 5_000, burst: 250 }).ms).toBe(1_500);
  });
});
