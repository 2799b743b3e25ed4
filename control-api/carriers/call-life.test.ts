import { describe, expect, it } from "vitest";
import {
  CALL_STATUSES,
  type CallStatus,
  isOver,
  LIFE_EVENTS,
  type LifeEvent,
  nextStatus,
} from "./call-life.ts";

const TRANSITIONS: readonly [CallStatus, LifeEvent, CallStatus][] = [
  ["queued", "rings", "ringing"],
  ["queued", "media", "in-progress"],
  ["queued", "hangs up", "no-answer"],
  ["queued", "is busy", "busy"],
  ["queued", "does not answer", "no-answer"],
  ["queued", "fails", "failed"],
  ["queued", "is withdrawn", "canceled"],
  ["ringing", "media", "in-progress"],
  ["ringing", "hangs up", "no-answer"],
  ["ringing", "is busy", "busy"],
  ["ringing", "does not answer", "no-answer"],
  ["ringing", "fails", "failed"],
  ["ringing", "is withdrawn", "canceled"],
  ["in-progress", "hangs up", "completed"],
  ["in-progress", "fails", "failed"],
];

describe("the life of a call", () => {
  it.each(TRANSITIONS)("a %s call that %s is %s", (from, event, to) => {
    expect(nextStatus(from, event)).toBe(to);
  });

  const others = CALL_STATUSES.flatMap((status) =>
    LIFE_EVENTS.map((event) => [status, event] as const),
  ).filter(([status, event]) => !TRANSITIONS.some(([from, on]) => from === status && on === event));
  it.each(others)("a %s call that %s stays what it is", (status, event) => {
    expect(nextStatus(status, event)).toBe(status);
  });

  it("ends in one of five ways, for good", () => {
    expect(CALL_STATUSES.filter(isOver)).toEqual(["completed", "failed", "no-answer", "busy", "canceled"]);
  });
});
