import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { begun, ended, final, play, SETTINGS, started, tick } from "./turn-reducer.cases.ts";
import type { TurnEvent } from "./turn-state.ts";

const JUDGED = { ...SETTINGS, judgesWithinMs: 150 };
const { minMs, maxMs } = SETTINGS.endpointing;
const judged = (text: string, finished: number | undefined, nowMs: number): TurnEvent => ({
  type: "judged",
  text,
  finished,
  nowMs,
});
const ticks = (fromMs: number, toMs: number): TurnEvent[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / 10) + 1 }, (_, index) => tick(fromMs + 10 * index));
const said = (text: string, finalAtMs = 1_250): TurnEvent[] => [
  started(0),
  ended(1_000),
  final(text, finalAtMs),
];
const decided = (events: readonly TurnEvent[], settings = JUDGED): number | undefined =>
  begun(play(events, settings).effects)[0]?.decidedAtMs;

describe("a model of the operator's", () => {
  it("is asked once about each text that will not change", () => {
    const { effects } = play([...said("I would like to"), ...ticks(1_260, 2_000)], JUDGED);
    expect(effects.filter(({ type }) => type === "judge")).toEqual([
      { type: "judge", text: "I would like to" },
    ]);
    expect(play(said("I would like to")).names).not.toContain("judge");
  });

  it("ends a turn that sounds open to us", () => {
    const open = said("I would like to");
    expect(decided([...open, judged("I would like to", 1, 1_300), ...ticks(1_310, 5_000)])).toBe(
      1_000 + minMs,
    );
  });

  it("waits for what sounds finished to us", () => {
    const text = "I would like to book a table for two people";
    expect(decided([...said(text), judged(text, 0, 1_300), ...ticks(1_310, 5_000)])).toBe(1_000 + maxMs);
  });

  it("keeps a finished turn waiting no longer than its time, and counts for nothing when it fails", () => {
    const text = "I would like to book a table for two people";
    expect(decided([...said(text), ...ticks(1_260, 5_000)])).toBe(1_250 + 150);
    expect(decided([...said(text), judged(text, undefined, 1_300), ...ticks(1_310, 5_000)])).toBe(
      1_000 + minMs,
    );
  });

  it("does not judge other words than it was asked about", () => {
    const events = [
      ...said("I would like to"),
      judged("I would", 1, 1_300),
      started(1_310),
      ended(2_000),
      judged("I would like to", 1, 2_050),
      final("book a table for", 2_250),
    ];
    expect(decided([...events, ...ticks(2_260, 8_000)])).toBe(2_000 + maxMs);
  });

  it("is not asked where the brain has said how long to wait", () => {
    const overrides: TurnEvent = { type: "overrides", overrides: { endpointingMs: 3_000 } };
    expect(play([overrides, ...said("five five five")], JUDGED).names).not.toContain("judge");
  });

  it("never moves the end past the ceiling or before the floor, whatever and whenever it answers", () => {
    const finished = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
    const text = fc.constantFrom("and", "hello there", "what time do you open tomorrow");
    const moments = fc.record({
      final: fc.integer({ min: 1_200, max: 1_340 }),
      answer: fc.integer({ min: 0, max: 4_000 }),
    });
    fc.assert(
      fc.property(text, finished, moments, (words, share, at) => {
        const answer = judged(words, share, at.final + at.answer);
        const time = [...ticks(at.final + 1, 6_000), answer].sort((a, b) => nowOf(a) - nowOf(b));
        const waitMs = (decided([...said(words, at.final), ...time]) ?? 0) - 1_000;
        expect(waitMs).toBeGreaterThanOrEqual(minMs);
        expect(waitMs).toBeLessThanOrEqual(maxMs + 10);
      }),
    );
  });
});

function nowOf(event: TurnEvent): number {
  return "nowMs" in event ? event.nowMs : 0;
}
