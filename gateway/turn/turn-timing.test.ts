import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TurnTiming } from "./turn-timing.ts";

const INSTANTS = [
  "endOfVoice",
  "decided",
  "asked",
  "firstToken",
  "voiceAsked",
  "voiceHeard",
  "firstFrame",
] as const;

describe("the latency of a turn", () => {
  it("counts from the end of the voice, not from when its text arrived", () => {
    const timing = new TurnTiming();
    timing.note("endOfVoice", 1_000);
    timing.note("decided", 1_450);
    timing.note("asked", 1_451);
    timing.note("firstToken", 1_800);
    timing.note("voiceAsked", 1_900);
    timing.note("voiceHeard", 1_950);
    timing.note("firstFrame", 1_960);
    expect(timing.metrics()).toEqual({
      endOfTurnMs: 450,
      brainFirstTokenMs: 349,
      ttsFirstByteMs: 50,
      responseMs: 960,
    });
  });

  it("is never negative and never huge, in whatever order its instants come or when some never do", () => {
    const note = fc.tuple(fc.constantFrom(...INSTANTS), fc.integer({ min: 0, max: 10_000 }));
    fc.assert(
      fc.property(fc.array(note), (notes) => {
        const timing = new TurnTiming();
        for (const [instant, atMs] of notes) timing.note(instant, atMs);
        return Object.values(timing.metrics()).every((ms) => ms >= 0 && ms <= 10_000);
      }),
    );
  });
});
