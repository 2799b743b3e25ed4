import { describe, expect, it } from "vitest";
import { ManualClock } from "../manual-clock.ts";
import { BrainBreaker } from "./breaker.ts";

function failing(times: number): { breaker: BrainBreaker; clock: ManualClock } {
  const clock = new ManualClock();
  const breaker = new BrainBreaker(clock);
  for (let i = 0; i < times; i++) breaker.failed("a");
  return { breaker, clock };
}

describe("the breaker of a brain's host", () => {
  it("opens after five failures in a row, for that host only", () => {
    expect(failing(4).breaker.admits("a")).toBe(true);
    const { breaker } = failing(5);
    expect(breaker.admits("a")).toBe(false);
    expect(breaker.admits("b")).toBe(true);
  });

  it("lets one probe through after the cool-down and closes when it succeeds", () => {
    const { breaker, clock } = failing(5);
    clock.advance(10_000);
    expect(breaker.admits("a")).toBe(true);
    expect(breaker.admits("a")).toBe(false);
    breaker.succeeded("a");
    expect(breaker.admits("a")).toBe(true);
  });

  it("stays open when the probe fails", () => {
    const { breaker, clock } = failing(5);
    clock.advance(10_000);
    breaker.admits("a");
    breaker.failed("a");
    expect(breaker.admits("a")).toBe(false);
  });
});
