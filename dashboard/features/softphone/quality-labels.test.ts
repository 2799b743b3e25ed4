import { describe, expect, test } from "vitest";
import { gradeOf } from "./quality-labels.ts";

const FINE = { jitterMs: 2, bufferedMs: 60, lateFrames: 0, lostFrames: 0 };

describe("the quality of one way of a call", () => {
  test.each([
    ["nothing wrong", {}, 40, 4],
    ["no round trip yet", {}, undefined, 4],
    ["a long way", {}, 250, 3],
    ["a very long way", {}, 900, 1],
    ["much jitter", { jitterMs: 60 }, 40, 2],
    ["frames that came late", { lateFrames: 2 }, 40, 3],
    ["frames that came late and frames that were lost", { lateFrames: 6, lostFrames: 6 }, 40, 1],
  ])("with %s is what its worst figure says", (_what, figures, roundTripMs, bars) => {
    expect(gradeOf({ ...FINE, ...figures }, roundTripMs)).toMatchObject({ bars });
  });
});
