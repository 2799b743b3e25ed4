import { describe, expect, it } from "vitest";
import {
  CALL_STATUSES,
  type CallStatus,
  isOver,
  LIFE_EVENTS,
  type LifeEvent,
  nextStatus,
  nextTransferState,
  TRANSFER_EVENTS,
  TRANSFER_STATES,
  type TransferEvent,
  type TransferState,
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

const TRANSFERS: readonly [TransferState, TransferEvent, TransferState][] = [
  ["none", "is asked for", "ringing"],
  ["ringing", "is answered", "briefing"],
  ["ringing", "is briefed", "joining"],
  ["ringing", "is joined", "joined"],
  ["ringing", "comes to nothing", "none"],
  ["briefing", "is briefed", "joining"],
  ["briefing", "comes to nothing", "none"],
  ["joining", "is joined", "joined"],
  ["joining", "comes to nothing", "none"],
];

describe("the transfer of a call", () => {
  it.each(TRANSFERS)("that is %s and %s is %s", (from, event, to) => {
    expect(nextTransferState(from, event)).toBe(to);
  });

  const others = TRANSFER_STATES.flatMap((state) =>
    TRANSFER_EVENTS.map((event) => [state, event] as const),
  ).filter(([state, event]) => !TRANSFERS.some(([from, on]) => from === state && on === event));
  it.each(others)("that is %s and %s stays what it is", (state, event) => {
    expect(nextTransferState(state, event)).toBe(state);
  });

  it("goes nowhere once the two are joined", () => {
    expect(TRANSFER_EVENTS.map((event) => nextTransferState("joined", event))).toEqual(
      TRANSFER_EVENTS.map(() => "joined"),
    );
  });
});
