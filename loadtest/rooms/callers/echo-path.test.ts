import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { expect, it } from "vitest";
import { EchoPath } from "./echo-path.ts";

const frameOf = (sample: number): Int16Array => new Int16Array(FRAME_SAMPLES).fill(sample);
/** The first sample of what the microphone picks up while frames of 1,000, 2,000, … are played. */
const picksUp = (path: EchoPath, frames: number): (number | undefined)[] =>
  Array.from({ length: frames }, (_, i) => path.push(frameOf(1_000 * (i + 1)))).map((frame) =>
    frame === undefined ? undefined : Math.round(frame[0] as number),
  );

it("brings the agent's voice back later and softer", () => {
  expect(picksUp(new EchoPath({ db: -20, delayMs: 40 }), 4)).toEqual([undefined, undefined, 100, 200]);
});

it("begins and moves in mid-call", () => {
  const path = new EchoPath({ db: -20, delayMs: 20, fromMs: 60, moves: { atMs: 100, delayMs: 60 } });
  expect(picksUp(path, 6)).toEqual([undefined, undefined, undefined, 300, 400, 300]);
});

it("cuts the peaks of a loudspeaker that is too loud, which makes the rest louder", () => {
  expect(picksUp(new EchoPath({ db: -20, delayMs: 0, clipsAt: 0.1 }), 5)).toEqual([
    1_000, 2_000, 3_000, 3_277, 3_277,
  ]);
});
