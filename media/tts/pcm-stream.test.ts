import fc from "fast-check";
import { expect, it } from "vitest";
import { pcmFrom } from "./pcm-stream.ts";

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    yield bytes.subarray(at, at + length);
    at += length;
  }
}

async function collect(bytes: Uint8Array, lengths: readonly number[], rateHz: number): Promise<number[]> {
  const samples: number[] = [];
  for await (const chunk of pcmFrom(cut(bytes, lengths), rateHz)) samples.push(...chunk);
  return samples;
}

it("reads the same samples however the bytes are cut, resampled or not", async () => {
  const wave = Int16Array.from({ length: 2_400 }, (_, i) => 9_000 * Math.sin(i / 12));
  const bytes = new Uint8Array(wave.buffer);
  for (const rateHz of [16_000, 24_000]) {
    const whole = await collect(bytes, [], rateHz);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(700), { maxLength: 20 }), async (lengths) => {
        expect(await collect(bytes, lengths, rateHz)).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  }
  expect(await collect(bytes, [3], 16_000)).toEqual([...wave]);
});

it("drops the half of a sample at the very end", async () => {
  expect(await collect(Uint8Array.of(1, 2, 3), [1, 1], 16_000)).toEqual([513]);
});
