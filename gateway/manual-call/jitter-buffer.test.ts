import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { describe, expect, it } from "vitest";
import { JitterBuffer } from "./jitter-buffer.ts";

const frameOf = (value: number) => new Int16Array(FRAME_SAMPLES).fill(value);
const first = (frame: Int16Array | undefined) => frame?.[0];

describe("a jitter buffer", () => {
  it("waits for 60 ms, and then gives what came in its order, whatever the lengths", () => {
    const buffer = new JitterBuffer();
    buffer.push(frameOf(1));
    expect(buffer.next()).toBeUndefined();
    buffer.push(new Int16Array([...frameOf(2), ...frameOf(3)]));
    expect([buffer.next(), buffer.next(), buffer.next()].map(first)).toEqual([1, 2, 3]);
    expect(buffer.next()).toBeUndefined();
  });

  it("gives the end of what was said although no more comes", () => {
    const buffer = new JitterBuffer();
    buffer.push(frameOf(1));
    const given = Array.from({ length: 6 }, () => buffer.next()).filter((frame) => frame !== undefined);
    expect(given).toEqual([frameOf(1)]);
  });

  it("waits longer once it ran dry", () => {
    const buffer = new JitterBuffer();
    for (const value of [1, 2, 3]) buffer.push(frameOf(value));
    for (let i = 0; i < 4; i++) buffer.next();
    for (const value of [4, 5, 6]) buffer.push(frameOf(value));
    expect(buffer.next()).toBeUndefined();
    buffer.push(frameOf(7));
    expect(first(buffer.next())).toBe(4);
  });

  it("lets the oldest go when 300 ms have gathered", () => {
    const buffer = new JitterBuffer();
    for (let value = 1; value <= 16; value++) buffer.push(frameOf(value));
    expect(first(buffer.next())).toBe(14);
  });

  it("counts what was late and what was lost, once, and no pause", () => {
    const buffer = new JitterBuffer();
    const give = (frames: number) => {
      for (let i = 0; i < frames; i++) buffer.push(frameOf(1));
    };
    const take = (frames: number) => {
      for (let i = 0; i < frames; i++) buffer.next();
    };
    give(3);
    take(3);
    expect(buffer.takeCounts()).toEqual({ lateFrames: 0, lostFrames: 0 });
    take(5);
    give(4);
    expect(buffer.bufferedMs).toBe(80);
    take(1);
    expect(buffer.takeCounts()).toEqual({ lateFrames: 5, lostFrames: 0 });
    take(3 + 30);
    give(16);
    take(1);
    expect(buffer.takeCounts()).toEqual({ lateFrames: 0, lostFrames: 11 });
  });

  it("keeps what it was given, also when the giver uses its memory again", () => {
    const buffer = new JitterBuffer();
    const memory = frameOf(1);
    for (let i = 0; i < 3; i++) buffer.push(memory);
    memory.fill(9);
    expect(first(buffer.next())).toBe(1);
  });
});
