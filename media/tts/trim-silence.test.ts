import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trimSilence } from "./trim-silence.ts";

const MS = 16;
const quiet = (ms: number) => new Int16Array(ms * MS);
const loud = (ms: number) => new Int16Array(ms * MS).fill(5_000);

async function trimmed(parts: readonly Int16Array[], chunkSamples = 320): Promise<number[]> {
  const whole = parts.flatMap((part) => [...part]);
  async function* chunks() {
    const buffer = new Int16Array(chunkSamples);
    for (let at = 0; at < whole.length; at += chunkSamples) {
      const piece = whole.slice(at, at + chunkSamples);
      buffer.set(piece);
      yield buffer.subarray(0, piece.length);
    }
  }
  const out: number[] = [];
  for await (const samples of trimSilence(chunks())) out.push(...samples);
  return out;
}

describe("silence around a voice", () => {
  it("is cut to 20 ms before it and 200 ms after it, and stays inside it", async () => {
    const out = await trimmed([quiet(230), loud(500), quiet(300), loud(100), quiet(450)], 16);
    expect(out.findIndex((sample) => sample !== 0)).toBeLessThanOrEqual(20 * MS);
    expect(out.filter((sample) => sample !== 0)).toHaveLength(600 * MS);
    expect(out.length - out.findLastIndex((sample) => sample !== 0) - 1).toBe(200 * MS);
    expect(out.length / MS).toBeLessThanOrEqual(20 + 500 + 300 + 100 + 200);
  });

  it("is all that is left of audio without any voice, and no more than a pause of it", async () => {
    expect(await trimmed([quiet(400)])).toEqual([]);
  });

  it("never costs a sample of the voice, however the audio is cut", async () => {
    const piece = fc.record({ ms: fc.integer({ min: 1, max: 300 }), isLoud: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 6 }),
        fc.integer({ min: 1, max: 4_000 }),
        async (pieces, chunkSamples) => {
          const parts = pieces.map(({ ms, isLoud }) => (isLoud ? loud(ms) : quiet(ms)));
          const voiceOf = (samples: readonly number[]) => {
            const first = samples.findIndex((sample) => sample !== 0);
            return first === -1
              ? []
              : samples.slice(first, samples.findLastIndex((sample) => sample !== 0) + 1);
          };
          const whole = parts.flatMap((part) => [...part]);
          const hasLongLead = whole.findIndex((sample) => sample !== 0) > 600 * MS;
          if (!hasLongLead) expect(voiceOf(await trimmed(parts, chunkSamples))).toEqual(voiceOf(whole));
        },
      ),
      { numRuns: 60 },
    );
  });
});
