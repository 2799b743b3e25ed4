import { describe, expect, it } from "vitest";
import { GapPatience } from "./gap-patience.ts";

const FRAME = 320;
/** Twenty frames in real time, then nothing for `pauseMs`, then `burst` frames at once. */
function after(pauseMs: number, burst: number): number {
  const patience = new GapPatience();
  for (let i = 0; i < 20; i++) patience.arrived(i * 20, FRAME);
  for (let i = 0; i < burst; i++) patience.arrived(380 + pauseMs, FRAME);
  return patience.ms;
}

describe("how long audio may stay away before it is silence", () => {
  it("is 600 ms on a line that was never seen to stall", () => {
    expect(after(20, 1)).toBe(600);
    expect(after(5_000, 1)).toBe(600);
  });

  it("is longer than the longest stall that the line caught up with", () => {
    expect(after(800, 40)).toBe(1_200);
    expect(after(500, 25)).toBe(750);
  });

  it("is never longer than a second and a half", () => {
    expect(after(5_000, 250)).toBe(1_500);
  });
});
