import { describe, expect, it } from "vitest";
import { logMel, MEL_BANDS, melFilters } from "./log-mel.ts";

const WINDOW = 400;
const HOP = 160;

describe("Whisper's log-mel", () => {
  it("has the filters of the published model (librosa's mel(16000, 400, 80))", () => {
    const [first, second] = melFilters();
    expect(first?.weights[1]).toBeCloseTo(0.024862594, 8);
    expect(second?.weights[0]).toBeCloseTo(0.0019908219, 9);
    expect(second?.weights[1]).toBeCloseTo(0.022871772, 8);
  });

  it("is what its definition gives, column by column", () => {
    const samples = Float32Array.from(
      { length: 5 * HOP },
      (_, i) => Math.sin(i * 0.31) + ((i * 7919) % 101) / 90,
    );
    const features = logMel(samples);
    const expected = byDefinition(samples);
    expect(features).toHaveLength(MEL_BANDS * 5);
    for (const [i, level] of features.entries()) expect(level).toBeCloseTo(expected[i] as number, 4);
  });
});

/** The same, straight from the definition: a sum for each bin. */
function byDefinition(samples: Float32Array): number[] {
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  const variance = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / samples.length;
  const sampleAt = (i: number): number => {
    const last = samples.length - 1;
    const mirrored = last - Math.abs(last - Math.abs(i));
    return ((samples[mirrored] as number) - mean) / Math.sqrt(variance + 1e-7);
  };
  const columns = samples.length / HOP;
  const levels: number[] = [];
  const filters = melFilters();
  for (let column = 0; column < columns; column++) {
    const powers = Array.from({ length: WINDOW / 2 + 1 }, (_, bin) => {
      let [re, im] = [0, 0];
      for (let n = 0; n < WINDOW; n++) {
        const value =
          sampleAt(column * HOP + n - WINDOW / 2) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW));
        re += value * Math.cos((2 * Math.PI * bin * n) / WINDOW);
        im -= value * Math.sin((2 * Math.PI * bin * n) / WINDOW);
      }
      return re * re + im * im;
    });
    for (const [band, { from, weights }] of filters.entries()) {
      const sum = weights.reduce((total, weight, i) => total + weight * (powers[from + i] as number), 0);
      levels[band * columns + column] = Math.log10(Math.max(1e-10, sum));
    }
  }
  const loudest = Math.max(...levels);
  return levels.map((level) => (Math.max(level, loudest - 8) + 4) / 4);
}
