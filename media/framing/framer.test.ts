import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Framer } from "./framer.ts";

describe("the framer", () => {
  it("cuts any chunks into the same frames and pads only the last", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 320 }),
        fc.array(fc.int16Array({ maxLength: 700 }), { maxLength: 12 }),
        (frameSamples, chunks) => {
          const frames: number[][] = [];
          const framer = new Framer(frameSamples);
          for (const chunk of chunks) framer.push(chunk, (frame) => frames.push([...frame]));
          framer.flush((frame) => frames.push([...frame]));
          const all = chunks.flatMap((chunk) => [...chunk]);
          const padding = frames.length * frameSamples - all.length;
          expect(padding).toBeGreaterThanOrEqual(0);
          expect(padding).toBeLessThan(frameSamples);
          expect(frames.flat()).toEqual([...all, ...new Array(padding).fill(0)]);
        },
      ),
    );
  });

  it("gives no frame on flush when nothing is left", () => {
    const framer = new Framer(4);
    framer.push(Int16Array.of(1, 2, 3, 4), () => undefined);
    const frames: Int16Array[] = [];
    framer.flush((frame) => frames.push(frame));
    expect(frames).toEqual([]);
  });

  it("forgets what is left on reset", () => {
    const framer = new Framer(2);
    const frames: number[][] = [];
    framer.push(Int16Array.of(9), (frame) => frames.push([...frame]));
    framer.reset();
    framer.push(Int16Array.of(1, 2), (frame) => frames.push([...frame]));
    expect(frames).toEqual([[1, 2]]);
  });
});
