import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PlayoutBuffer } from "./playout-buffer.ts";

const RATE_HZ = 1000;
const options = { sampleRateHz: RATE_HZ, prebufferMs: 60, capacityMs: 1000 };
const BLOCK = 20;

function ramp(length: number, from = 1): Int16Array {
  return Int16Array.from({ length }, (_, i) => from + i);
}

/** Renders `blocks` blocks and answers the samples as the integers that were pushed, and the marks. */
function render(buffer: PlayoutBuffer, blocks: number) {
  const samples: number[] = [];
  const marks: string[] = [];
  for (let i = 0; i < blocks; i++) {
    const out = new Float32Array(BLOCK);
    marks.push(...buffer.render(out));
    samples.push(...Array.from(out, (sample) => sample * 32_768));
  }
  return { samples, marks };
}

describe("PlayoutBuffer", () => {
  test("holds audio back until the prebuffer is full, then plays it in order", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.push(ramp(40));
    expect(render(buffer, 1).samples).toEqual(Array(BLOCK).fill(0));
    buffer.push(ramp(40, 41));
    expect(render(buffer, 4).samples).toEqual([...ramp(80)]);
  });

  test("plays a tail shorter than the prebuffer after waiting that long", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.push(ramp(20));
    const { samples } = render(buffer, 4);
    expect(samples.slice(0, 60)).toEqual(Array(60).fill(0));
    expect(samples.slice(60)).toEqual([...ramp(20)]);
  });

  test("reports a mark when everything before it was rendered, not sooner", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.push(ramp(60));
    buffer.mark("first");
    buffer.push(ramp(20));
    expect(render(buffer, 2).marks).toEqual([]);
    expect(render(buffer, 1).marks).toEqual(["first"]);
  });

  test("reports a mark with nothing before it at once", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.mark("empty");
    expect(render(buffer, 1).marks).toEqual(["empty"]);
  });

  test("answers a clear with the samples of this turn that were heard, and drops the rest with its marks", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.startTurn();
    buffer.push(ramp(100));
    buffer.mark("never");
    render(buffer, 2);
    expect(buffer.clear()).toBe(40);
    const after = render(buffer, 10);
    expect(after.marks).toEqual([]);
    expect(Math.abs(after.samples.at(-1) ?? 1)).toBeLessThan(0.001);
  });

  test("counts a turn from its own first sample", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.startTurn();
    buffer.push(ramp(60));
    buffer.startTurn();
    buffer.push(ramp(60));
    render(buffer, 4);
    expect(buffer.clear()).toBe(20);
  });

  test("answers 0 while the turn's first sample still waits", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.startTurn();
    buffer.push(ramp(60));
    render(buffer, 3);
    buffer.startTurn();
    buffer.push(ramp(60));
    expect(buffer.clear()).toBe(0);
  });

  test("goes on counting after a clear when the same turn is sent again", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.startTurn();
    buffer.push(ramp(60));
    render(buffer, 1);
    expect(buffer.clear()).toBe(20);
    buffer.push(ramp(60));
    render(buffer, 2);
    expect(buffer.clear()).toBe(60);
  });

  test("counts a hole inside a turn as an underrun, and the pause between turns not", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.startTurn();
    buffer.push(ramp(60));
    render(buffer, 6);
    buffer.push(ramp(60));
    expect(buffer.underruns).toBe(1);
    render(buffer, 6);
    buffer.startTurn();
    buffer.push(ramp(60));
    expect(buffer.underruns).toBe(1);
  });

  test("drops the oldest audio, and its marks, when too much is waiting", () => {
    const buffer = new PlayoutBuffer(options);
    buffer.push(ramp(500));
    buffer.mark("dropped");
    buffer.push(ramp(1000, 2001));
    expect(buffer.droppedSamples).toBe(500);
    const { samples, marks } = render(buffer, 1);
    expect(samples[0]).toBe(2001);
    expect(marks).toEqual([]);
  });

  test("plays every sample exactly once, whatever the sizes of the pieces", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 10 }), (sizes) => {
        const buffer = new PlayoutBuffer(options);
        let pushed = 0;
        for (const size of sizes) {
          buffer.push(ramp(size, pushed + 1));
          pushed += size;
        }
        buffer.mark("end");
        const { samples, marks } = render(buffer, 60);
        const first = samples.indexOf(1);
        expect(samples.slice(first, first + pushed)).toEqual([...ramp(pushed)]);
        expect(marks).toEqual(["end"]);
        expect(buffer.bufferedSamples).toBe(0);
      }),
    );
  });
});
