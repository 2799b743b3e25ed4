import { describe, expect, it } from "vitest";
import { DeadAir } from "./dead-air.ts";

function speak(air: DeadAir, fromMs: number, toMs: number): void {
  for (let atMs = fromMs; atMs < toMs; atMs += 20) air.heard(atMs, 20);
}

describe("the silence a caller waits through", () => {
  it("is all of the time when nothing is said", () => {
    expect(new DeadAir().longestMs(1_000, 17_100)).toBe(16_100);
  });

  it("is the longest of the pauses between the lines that are said meanwhile", () => {
    const air = new DeadAir();
    speak(air, 3_000, 4_200);
    speak(air, 9_000, 10_500);
    speak(air, 12_000, 13_000);
    expect(air.longestMs(1_000, 12_000)).toBe(4_800);
  });

  it("does not count a sound from before it, nor one that runs on into it", () => {
    const air = new DeadAir();
    speak(air, 0, 500);
    speak(air, 900, 1_400);
    expect(air.longestMs(1_000, 2_000)).toBe(600);
  });
});
