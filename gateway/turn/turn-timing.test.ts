import type { TurnMetrics } from "@parley/shared/contracts/call-socket.ts";
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
      brainRequestMs: 1,
      brainFirstTokenMs: 349,
      firstClauseMs: 100,
      ttsFirstByteMs: 50,
      responseMs: 960,
    });
  });

  /** What the parts leave of the response: from the voice's first audio to the first frame. */
  const sumOf = ({ responseMs: _, ...parts }: TurnMetrics) => Object.values(parts).reduce((a, b) => a + b, 0);

  it("adds up, part by part, to what the caller waited", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(gaps, (gapsMs) => {
        const timing = new TurnTiming();
        let atMs = 0;
        for (const [index, instant] of INSTANTS.entries()) {
          atMs += gapsMs[index] ?? 0;
          timing.note(instant, atMs);
        }
        const metrics = timing.metrics();
        const untilFrameMs = gapsMs.at(-1) ?? 0;
        expect(sumOf(metrics)).toBe(metrics.responseMs - untilFrameMs);
      }),
    );
  });

  it("adds up to more by what a speculative request took ahead of the decision, and by no more", () => {
    const timing = new TurnTiming();
    timing.note("endOfVoice", 1_000);
    timing.note("asked", 1_200);
    timing.note("firstToken", 1_400);
    timing.note("decided", 1_450);
    timing.note("voiceAsked", 1_460);
    timing.note("voiceHeard", 1_500);
    timing.note("firstFrame", 1_500);
    const metrics = timing.metrics();
    expect(metrics).toMatchObject({ brainRequestMs: 0, brainFirstTokenMs: 200, firstClauseMs: 10 });
    expect(sumOf(metrics)).toBe(metrics.responseMs + 200);
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
