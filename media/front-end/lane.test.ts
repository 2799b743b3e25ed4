import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "../pcm.ts";
import { Lane } from "./lane.ts";
import { type Done, TASK } from "./tasks.ts";

const FRAME = new Int16Array(FRAME_SAMPLES);

/** A lane whose thread answers when the test does; each frame is known by its number. */
function open() {
  const lane = new Lane();
  const sent: number[][] = [];
  const owed: Done[] = [];
  const heard: [number, number | undefined][] = [];
  const push = (number: number, tasks: number): void => {
    const frame = FRAME.slice().fill(number);
    const frames = lane.push(frame, tasks, (result) => heard.push([number, result?.probability]));
    if (frames.length > 0) sent.push(frames.map(({ frame }) => frame[0] as number));
    for (const { done } of frames) if (done) owed.push(done);
  };
  const answer = (probability?: number): void =>
    owed.shift()?.(probability === undefined ? undefined : { probability, samples: FRAME });
  return { push, answer, sent, heard };
}

describe("a stream on its way to the model", () => {
  it("wakes the thread for frames that end a window only; the others have the answer before, in order", () => {
    const lane = open();
    for (let i = 1; i <= 5; i++) lane.push(i, TASK.detect);
    // Windows of 32 ms end in the second, fourth and fifth frame of 20 ms.
    expect(lane.sent).toEqual([[1], [2], [3, 4], [5]]);
    for (const p of [0, 0.7, 0.8, 0.9]) lane.answer(p);
    expect(lane.heard).toEqual([
      [1, 0],
      [2, 0.7],
      [3, 0.7],
      [4, 0.8],
      [5, 0.9],
    ]);
  });

  it("takes frames that nobody asks about along with the next one that somebody does", () => {
    const lane = open();
    for (let i = 1; i <= 2; i++) lane.push(i, TASK.detect);
    for (let i = 3; i <= 6; i++) lane.push(i, TASK.detect | TASK.unasked);
    lane.push(7, TASK.detect);
    expect(lane.sent).toEqual([[1], [2], [3, 4, 5, 6, 7]]);
  });

  it("drops them where the model begins anew", () => {
    const lane = open();
    for (let i = 1; i <= 2; i++) lane.push(i, TASK.detect);
    for (let i = 3; i <= 6; i++) lane.push(i, TASK.detect | TASK.unasked);
    lane.push(7, TASK.detect | TASK.restartDetect);
    expect(lane.sent.at(-1)).toEqual([7]);
  });

  it("asks again after the thread had no answer", () => {
    const lane = open();
    for (let i = 1; i <= 3; i++) lane.push(i, TASK.detect);
    lane.answer();
    lane.answer();
    expect(lane.heard).toEqual([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
    lane.push(4, TASK.detect);
    expect(lane.sent.at(-1)).toEqual([3, 4]);
  });
});
