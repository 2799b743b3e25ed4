import { describe, expect, it } from "vitest";
import { ManualClock } from "../manual-clock.ts";
import { BrainBreaker } from "./breaker.ts";

const KEY = { orgId: "org_1", endpoint: "https://brains.example/a" };

function failing(times: number): { breaker: BrainBreaker; clock: ManualClock } {
  const clock = new ManualClock();
  const breaker = new BrainBreaker(clock);
  for (let i = 0; i < times; i++) breaker.failed(KEY);
  return { breaker, clock };
}

describe("the breaker of a brain", () => {
  it("opens after five failures in a row, for that endpoint of that organization only", () => {
    expect(failing(4).breaker.admits(KEY)).toBe(true);
    const { breaker } = failing(5);
    expect(breaker.admits(KEY)).toBe(false);
    expect(breaker.admits({ ...KEY, endpoint: "https://brains.example/b" })).toBe(true);
    expect(breaker.admits({ ...KEY, orgId: "org_2" })).toBe(true);
  });

  it("lets one probe through after the cool-down and closes when it is answered", () => {
    const { breaker, clock } = failing(5);
    clock.advance(10_000);
    expect(breaker.admits(KEY)).toBe(true);
    expect(breaker.admits(KEY)).toBe(false);
    breaker.answered(KEY);
    expect(breaker.admits(KEY)).toBe(true);
  });

  it("stays open when the probe fails", () => {
    const { breaker, clock } = failing(5);
    clock.advance(10_000);
    breaker.admits(KEY);
    breaker.failed(KEY);
    expect(breaker.admits(KEY)).toBe(false);
  });

  it("is pushed out by no other organization, however many of its endpoints fail", () => {
    const { breaker } = failing(5);
    for (let i = 0; i < 2_000; i++) breaker.failed({ orgId: "org_2", endpoint: `https://x.example/${i}` });
    expect(breaker.admits(KEY)).toBe(false);
  });
});
