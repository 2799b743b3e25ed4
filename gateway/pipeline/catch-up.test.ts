import { describe, expect, it } from "vitest";
import { CatchUp } from "./catch-up.ts";

/** How long it rests from `nowMs` on. */
function restMs(catchUp: CatchUp, nowMs: number): number {
  let ms = 0;
  while (catchUp.isResting(nowMs + ms)) ms += 20;
  return ms;
}

describe("a stream without pauses", () => {
  it("rests for what its app has fallen behind, once", () => {
    const catchUp = new CatchUp();
    catchUp.onBehind(100);
    expect(restMs(catchUp, 0)).toBe(0);
    catchUp.onBehind(680);
    expect(restMs(catchUp, 1_000)).toBe(580);
    expect(restMs(catchUp, 3_000)).toBe(0);
    catchUp.onBehind(110);
    expect(restMs(catchUp, 4_000)).toBe(0);
  });

  it("takes for the line's own delay what no rest makes up for", () => {
    const catchUp = new CatchUp();
    const rests = [100, 300, 300, 300, 300].map((behindMs, i) => {
      catchUp.onBehind(behindMs);
      return restMs(catchUp, i * 10_000);
    });
    expect(rests).toEqual([0, 200, 100, 60, 0]);
  });

  it("has nothing to make up for once the app has thrown away what it had", () => {
    const catchUp = new CatchUp();
    catchUp.onBehind(0);
    catchUp.onBehind(600);
    catchUp.reset();
    expect(restMs(catchUp, 0)).toBe(0);
  });
});
