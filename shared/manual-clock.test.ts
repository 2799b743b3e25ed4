import { describe, expect, it } from "vitest";
import { type Clock, systemClock, toTimestamp } from "./clock.ts";
import { ManualClock } from "./manual-clock.ts";

describe("the clock that tests move", () => {
  it("fires what falls due on the way, in order of time, at its time", () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.monotonicMs()}`);
    clock.after(30, note("c"));
    clock.after(10, note("a"));
    clock.every(20, note("b"));
    clock.advance(45);
    expect(fired).toEqual(["a@10", "b@20", "c@30", "b@40"]);
    expect(clock.monotonicMs()).toBe(45);
  });

  it("fires what a timer sets on the way", () => {
    const clock = new ManualClock();
    const fired: number[] = [];
    clock.after(10, () => clock.after(10, () => fired.push(clock.monotonicMs())));
    clock.advance(20);
    expect(fired).toEqual([20]);
  });

  it("does not fire what was cancelled, at any moment", () => {
    const clock = new ManualClock();
    const fired: string[] = [];
    clock.after(10, () => fired.push("a"))();
    const stop = clock.every(10, () => {
      fired.push("b");
      stop();
    });
    clock.advance(100);
    expect(fired).toEqual(["b"]);
  });

  it("steps the wall without moving a deadline", () => {
    const clock = new ManualClock(1_000);
    let isDue = false;
    clock.after(10, () => {
      isDue = true;
    });
    clock.stepWall(-60_000);
    clock.advance(5);
    expect([clock.wallMs(), clock.monotonicMs(), isDue]).toEqual([-58_995, 5, false]);
    clock.advance(5);
    expect(isDue).toBe(true);
  });
});

describe("the machine's clock", () => {
  it("fires once, fires again and again, and stops when it is told", async () => {
    const clock: Clock = systemClock;
    const fired: string[] = [];
    clock.after(1, () => fired.push("never"))();
    const stop = clock.every(1, () => fired.push("tick"));
    await new Promise<void>((resolve) => clock.after(1, resolve));
    await expect.poll(() => fired.length).toBeGreaterThan(2);
    stop();
    expect(fired).not.toContain("never");
    expect(clock.monotonicMs()).toBeGreaterThan(0);
  });

  it("writes moments in UTC with three digits of a second", () => {
    expect(toTimestamp(0)).toBe("1970-01-01T00:00:00.000Z");
    expect(toTimestamp(Date.UTC(2026, 2, 1, 10, 0, 0, 120))).toBe("2026-03-01T10:00:00.120Z");
  });
});
