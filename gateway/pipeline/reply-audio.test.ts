import { BLOCK_SAMPLES } from "@parley/media/sample-blocks.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ReplyAudio } from "./reply-audio.ts";

/** Sample `i` of an answer has the value `i`, so that a wrong place shows. */
const ramp = (from: number, length: number) => Int16Array.from({ length }, (_, i) => (from + i) % 30_000);

function readAll(audio: ReplyAudio, from: number): number[] {
  const read: number[] = [];
  for (;;) {
    const samples = audio.read(from + read.length, 700);
    if (!samples) return read;
    read.push(...samples);
  }
}

describe("an answer's audio", () => {
  it("is read as it was written, from anywhere that was not let go of", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 3 * BLOCK_SAMPLES }), { maxLength: 6 });
    fc.assert(
      fc.property(lengths, fc.nat(8 * BLOCK_SAMPLES), (pieces, before) => {
        const audio = new ReplyAudio();
        for (const length of pieces) audio.write(ramp(audio.end, length));
        audio.forget(before);
        expect(audio.start).toBeLessThanOrEqual(Math.max(0, Math.min(before, audio.end)));
        expect(readAll(audio, audio.start)).toEqual([...ramp(audio.start, audio.end - audio.start)]);
        audio.restart(audio.end);
      }),
      { numRuns: 200 },
    );
  });

  it("goes on where it was restarted, and has nothing from before", () => {
    const audio = new ReplyAudio();
    audio.write(ramp(0, 1_000));
    audio.restart(400);
    audio.write(ramp(400, 100));
    expect(audio.read(399, 10)).toBeUndefined();
    expect(readAll(audio, 400)).toEqual([...ramp(400, 100)]);
  });

  it("is nobody else's while it is kept, though blocks are used again", () => {
    const [first, second] = [new ReplyAudio(), new ReplyAudio()];
    first.write(ramp(0, 2 * BLOCK_SAMPLES));
    first.forget(BLOCK_SAMPLES);
    second.write(ramp(7, 2 * BLOCK_SAMPLES));
    expect(readAll(first, BLOCK_SAMPLES)).toEqual([...ramp(BLOCK_SAMPLES, BLOCK_SAMPLES)]);
    expect(readAll(second, 0)).toEqual([...ramp(7, 2 * BLOCK_SAMPLES)]);
  });
});
