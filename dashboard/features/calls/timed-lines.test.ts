import { expect, test } from "vitest";
import { lineAt, lineWith, timedLines } from "./timed-lines.ts";

const said = (text: string, secs: number) => ({
  role: "user" as const,
  text,
  at: new Date(Date.UTC(2026, 10, 20) + secs * 1_000).toISOString(),
  turn: 1,
  interrupted: false,
});
const startTime = said("", 0).at;

test("a line begins in the recording where the one before it was complete", () => {
  const lines = timedLines({
    startTime,
    transcript: [said("Hello", 2), said("Good day", 5), said("Bye", 9)],
  });
  expect(lines.map(({ fromSecs }) => fromSecs)).toEqual([0, 2, 5]);
  expect([0, 1.9, 2, 8, 100].map((secs) => lineAt(lines, secs))).toEqual([0, 0, 1, 2, 2]);
});

test("a call in which nothing was said has no line", () => {
  expect(lineAt(timedLines({ startTime: null, transcript: [] }), 1)).toBeUndefined();
});

test("a quote leads to the line it is in", () => {
  const lines = timedLines({
    startTime,
    transcript: [said("Hello there", 2), said("My lamp is broken.", 5)],
  });
  expect(lineWith(lines, "lamp is broken")?.fromSecs).toBe(2);
  expect(lineWith(lines, "lamp works")).toBeUndefined();
  expect(lineWith(lines, "")).toBeUndefined();
});
