import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { describe, expect, it } from "vitest";
import { Arrivals } from "./arrivals.ts";

/** Messages of 20 ms, each so much later than it should come. */
function arrivalsWith(latenessMs: (message: number) => number, messages = 200): Arrivals {
  let nowMs = 0;
  const arrivals = new Arrivals(() => nowMs);
  for (let i = 0; i < messages; i++) {
    nowMs = i * FRAME_MS + latenessMs(i);
    arrivals.push(new Int16Array(FRAME_SAMPLES));
    arrivals.next();
  }
  return arrivals;
}

describe("arriving audio", () => {
  it("that comes evenly has no jitter, however late all of it is", () => {
    expect(arrivalsWith(() => 150).figures()).toMatchObject({ jitterMs: 0, lateFrames: 0, lostFrames: 0 });
  });

  it("that comes unevenly has the mean deviation", () => {
    expect(arrivalsWith((message) => (message % 2) * 8).figures().jitterMs).toBeCloseTo(8, 1);
  });

  it("has no jitter for a pause", () => {
    expect(arrivalsWith((message) => (message < 100 ? 0 : 60_000)).figures().jitterMs).toBe(0);
  });
});
