import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { expect, it } from "vitest";
import { mix } from "./mix.ts";

it("two sounds at once are both heard, and clipped", () => {
  const loud = new Int16Array(FRAME_SAMPLES).fill(30_000);
  const soft = new Int16Array(FRAME_SAMPLES).fill(100);
  expect(mix(loud, soft)?.[0]).toBe(30_100);
  expect(mix(loud, loud)?.[0]).toBe(32_767);
  expect(mix(undefined, soft)).toBe(soft);
  expect(mix(undefined, undefined)).toBeUndefined();
});
