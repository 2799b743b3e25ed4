import { FRAME_MS, FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { describe, expect, it } from "vitest";
import { Bridge } from "./bridge.ts";

const frameOf = (value: number) => new Int16Array(FRAME_SAMPLES).fill(value);

/** What the phone gets of a softphone that speaks evenly, when the bridge is ticked at these times. */
function carriedAt(tickMs: readonly number[]): { value: number | undefined; dueMs: number }[] {
  let nowMs = 0;
  const carried: { value: number | undefined; dueMs: number }[] = [];
  const bridge = new Bridge({
    now: () => nowMs,
    toPhone: (frame, dueMs) => carried.push({ value: frame[0], dueMs }),
    toSoftphone: () => undefined,
  });
  for (let value = 1; value <= 10; value++) bridge.hearSoftphone(frameOf(value));
  for (const atMs of tickMs) {
    nowMs = atMs;
    bridge.tick();
  }
  return carried;
}

describe("a bridge", () => {
  it("tells of each frame when it is due, so that a recording has neither gaps nor overlaps", () => {
    const carried = carriedAt([21, 39.5, 61, 118]);
    expect(carried.map(({ value }) => value)).toEqual([1, 2, 3, 4, 5]);
    expect(carried.map(({ dueMs }) => dueMs)).toEqual([0, 1, 2, 3, 4].map((frame) => frame * FRAME_MS));
  });

  it("makes up for no more than 100 ms of a stall", () => {
    expect(carriedAt([400]).map(({ dueMs }) => dueMs)).toEqual([300, 320, 340, 360, 380]);
  });
});
