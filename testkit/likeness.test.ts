import { expect, it } from "vitest";
import { FOUND, likeness } from "./likeness.ts";
import { flite } from "./speech.ts";

const SPOKEN = "Hello Ada.";
/** Flite begins this sentence with 180 ms of silence. */
const SILENT_SAMPLES = 2_800;

it("finds a sentence that begins with its first sound, at the very beginning of what is heard", async () => {
  const played = (await flite(SPOKEN)).subarray(SILENT_SAMPLES);
  expect(likeness(played, await flite(SPOKEN))).toBeGreaterThan(FOUND);
});

it("does not find another sentence of the same voice", async () => {
  expect(likeness(await flite("It comes on Thursday afternoon."), await flite(SPOKEN))).toBeLessThan(FOUND);
});
