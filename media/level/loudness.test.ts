import { describe, expect, it } from "vitest";
import { amplify, gainOf } from "./loudness.ts";

const sine = (amplitude: number): Int16Array =>
  Int16Array.from({ length: 1_600 }, (_, at) => amplitude * Math.sin((2 * Math.PI * at) / 40));
const peak = (samples: Int16Array): number => Math.max(...samples);

describe("the volume of a voice", () => {
  it("is changed in proportion where there is room", () => {
    expect(peak(amplify(sine(4_000), gainOf(6.02)))).toBeCloseTo(8_000, -2);
    expect(peak(amplify(sine(4_000), gainOf(-20)))).toBe(400);
  });

  it("never leaves full scale, and a louder sample stays the louder one", () => {
    const loud = amplify(sine(30_000), gainOf(12));
    expect(peak(loud)).toBeLessThanOrEqual(32_767);
    const ramp = amplify(
      Int16Array.from({ length: 300 }, (_, at) => at * 100),
      gainOf(6),
    );
    expect([...ramp]).toEqual([...ramp].toSorted((a, b) => a - b));
  });

  it("is left alone, sample by sample, where nothing is set", () => {
    const samples = sine(4_000);
    expect(amplify(samples, gainOf(0))).toBe(samples);
  });
});
