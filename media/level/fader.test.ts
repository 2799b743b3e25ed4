import { describe, expect, it } from "vitest";
import { FRAME_SAMPLES } from "../pcm.ts";
import { Fader } from "./fader.ts";

const loud = new Int16Array(FRAME_SAMPLES).fill(16_000);

describe("a fader", () => {
  it("passes frames through as they are at full volume", () => {
    expect(new Fader().apply(loud)).toBe(loud);
  });

  it("lowers the volume within one frame and without a step", () => {
    const fader = new Fader();
    fader.fadeTo(0.25);
    const ramp = Int16Array.from(fader.apply(loud));
    const steps = ramp.slice(1).map((sample, i) => Math.abs(sample - (ramp[i] as number)));
    expect(Math.max(...steps)).toBeLessThan(50);
    expect(ramp.at(-1)).toBe(4_000);
    expect([...new Set(fader.apply(loud))]).toEqual([4_000]);
  });

  it("comes back the same way, and at once for a new stream", () => {
    const fader = new Fader();
    fader.fadeTo(0.25);
    fader.apply(loud);
    fader.fadeTo(1);
    expect(fader.apply(loud).at(-1)).toBe(16_000);
    fader.fadeTo(0.25);
    fader.reset();
    expect(fader.apply(loud)).toBe(loud);
  });
});
