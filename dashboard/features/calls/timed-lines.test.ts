import { expect, test } from "vitest";
import { indexAt, lineWith, stepFrom, timedLines } from "./timed-lines.ts";

const said = (text: string, secs: number) => ({
  role: "user" as const,
  text,
  at: new Date(Date.UTC(2026, 10, 20) + secs * 1_000).toISOString(),
  turn: 1,
  interrupted: false,
});
const CALL = { startTime: said("", 0).at, createdAt: said("", -9).at, channel: "telephony" };

test("a line begins in the recording where the one before it was complete", () => {
  const lines = timedLines({
    ...CALL,
    transcript: [said("Hello", 2), said("Good day", 5), said("Bye", 9)],
  });
  expect(lines.map(({ fromSecs }) => fromSecs)).toEqual([0, 2, 5]);
  expect([0, 1.9, 2, 8, 100].map((secs) => indexAt(lines, secs))).toEqual([0, 0, 1, 2, 2]);
});

test("steps go on and back line by line, also through what came at the same moment", () => {
  const lines = [0, 2, 5, 5, 5.0005, 9].map((fromSecs) => ({ fromSecs }));
  const walk = (from: number, step: 1 | -1): number[] => {
    const next = stepFrom(lines, from, step);
    return next === undefined ? [] : [next, ...walk(next, step)];
  };
  expect(walk(0, 1)).toEqual([2, 5, 9]);
  expect(walk(9, -1)).toEqual([5.0005, 2, 0]);
  expect([stepFrom(lines, 3, -1), stepFrom(lines, -1, 1), stepFrom(lines, -1, -1)]).toEqual([
    0,
    0,
    undefined,
  ]);
});

test("what is written stands where it was written, for nobody spoke before", () => {
  const transcript = [said("Hello", 2), said("Good day", 50)];
  const lines = timedLines({ ...CALL, startTime: null, channel: "chat", transcript });
  expect(lines.map(({ fromSecs }) => fromSecs)).toEqual([11, 59]);
});

test("a call in which nothing was said has no line", () => {
  expect(indexAt(timedLines({ ...CALL, startTime: null, transcript: [] }), 1)).toBeUndefined();
});

test("a quote leads to the line it is in", () => {
  const lines = timedLines({
    ...CALL,
    transcript: [said("Hello there", 2), said("My lamp is broken.", 5)],
  });
  expect(lineWith(lines, "lamp is broken")?.fromSecs).toBe(2);
  expect(lineWith(lines, "lamp works")).toBeUndefined();
  expect(lineWith(lines, "")).toBeUndefined();
});
