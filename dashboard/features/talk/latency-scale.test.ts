import { describe, expect, test } from "vitest";
import { partsOf, ticksFor } from "./latency-scale.ts";

const turn = {
  turn: 1,
  endOfTurnMs: 400,
  brainRequestMs: 0,
  brainFirstTokenMs: 200,
  firstClauseMs: 0,
  ttsFirstByteMs: 100,
  responseMs: 750,
};

describe("the latency chart's numbers", () => {
  test("what the three stages do not explain is the rest", () => {
    expect(partsOf(turn).map(({ key, ms }) => `${key} ${ms}`)).toEqual([
      "end-of-turn 400",
      "brain 200",
      "voice 100",
      "rest 50",
    ]);
  });

  test("all stages add up, in the order in which they happen", () => {
    const slow = { ...turn, brainRequestMs: 20, firstClauseMs: 258, responseMs: 978 };
    expect(partsOf(slow).map(({ key, ms }) => `${key} ${ms}`)).toEqual([
      "end-of-turn 400",
      "request 20",
      "brain 200",
      "clause 258",
      "voice 100",
    ]);
  });

  test("overlapping stages leave no rest", () => {
    expect(partsOf({ ...turn, responseMs: 600 }).map(({ key }) => key)).not.toContain("rest");
  });

  test.each([
    [0, 100],
    [80, 100],
    [750, 800],
    [2300, 2500],
    [12_000, 15_000],
    [500_000, 500_000],
  ])("a response of %i ms gets a round axis to %i", (responseMs, last) => {
    const quick = {
      turn: 1,
      endOfTurnMs: 0,
      brainRequestMs: 0,
      brainFirstTokenMs: 0,
      firstClauseMs: 0,
      ttsFirstByteMs: 0,
      responseMs,
    };
    const ticks = ticksFor([quick]);
    expect(ticks[0]).toBe(0);
    expect(ticks.at(-1)).toBe(last);
    expect(ticks.length).toBeLessThanOrEqual(7);
  });
});
