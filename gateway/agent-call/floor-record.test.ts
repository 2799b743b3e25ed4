import { MAX_FLOOR_DECISIONS } from "@parley/shared/contracts/floor.ts";
import { expect, it } from "vitest";
import type { FloorDecision } from "../turn/floor-decision.ts";
import { FloorRecord } from "./floor-record.ts";

const duck = (turn: number): FloorDecision => ({ turn, decision: "duck", reason: "voice" });
const end = (turn: number): FloorDecision => ({
  turn,
  decision: "end_turn",
  reason: "complete",
  afterMs: 360,
});

/** A record of a call that began at 500 of a clock. */
function recording() {
  let nowMs = 500;
  const record = new FloorRecord(() => nowMs);
  const at = (ms: number, made: FloorDecision): void => {
    nowMs = 500 + ms;
    record.add(made);
  };
  return { record, at };
}

it("tells of each decision once, turn by turn, by the call's clock", () => {
  const { record, at } = recording();
  at(100, duck(0));
  at(900.4, end(1));
  expect(record.take()).toEqual({
    floor: [
      { turn: 0, decisions: [{ atMs: 100, decision: "duck", reason: "voice" }], dropped: 0 },
      {
        turn: 1,
        decisions: [{ atMs: 900, decision: "end_turn", reason: "complete", afterMs: 360 }],
        dropped: 0,
      },
    ],
  });
  expect(record.take()).toEqual({});
  at(2_000, duck(1));
  expect(record.take()).toMatchObject({ floor: [{ turn: 1, decisions: [{ atMs: 2_000 }] }] });
});

it("keeps places of a turn for its end, counts what it drops, and knows of what was told before", () => {
  const { record, at } = recording();
  at(0, end(1));
  record.take();
  for (let noise = 0; noise < 100; noise++) at(noise, duck(1));
  at(100, { turn: 1, decision: "interrupt", reason: "words", words: 3 });
  const [turn] = record.take().floor ?? [];
  expect(turn?.decisions.at(-1)).toMatchObject({ decision: "interrupt", words: 3 });
  expect((turn?.decisions.length ?? 0) + (turn?.dropped ?? 0)).toBe(101);
  for (let question = 0; question < 100; question++) at(0, end(1));
  const more = record.take().floor?.[0]?.decisions.length ?? 0;
  expect(1 + (turn?.decisions.length ?? 0) + more).toBe(MAX_FLOOR_DECISIONS);
});

it("puts what comes late, of an answer that is over, with the turn it came in", () => {
  const { record, at } = recording();
  at(0, end(2));
  at(10, { turn: 1, decision: "ignore", reason: "own_voice" });
  expect(record.take()).toMatchObject({ floor: [{ turn: 2, decisions: [{}, { decision: "ignore" }] }] });
});

it("stays small where no answer is ever heard, and counts the turns it lets go", () => {
  const { record, at } = recording();
  for (let turn = 1; turn <= 1_000; turn++) at(turn, end(turn));
  const { floor = [] } = record.take();
  expect(floor).toHaveLength(16);
  const kept = floor.flatMap(({ decisions }) => decisions).length;
  expect(kept + floor.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(1_000);
});
