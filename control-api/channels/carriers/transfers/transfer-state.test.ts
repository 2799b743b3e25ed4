import { describe, expect, it } from "vitest";
import {
  nextTransferState,
  TRANSFER_EVENTS,
  TRANSFER_STATES,
  type TransferEvent,
  type TransferState,
} from "./transfer-state.ts";

const TRANSFERS: readonly [TransferState, TransferEvent, TransferState][] = [
  ["none", "is asked for", "ringing"],
  ["ringing", "is answered", "briefing"],
  ["ringing", "has heard the whisper", "joining"],
  ["ringing", "is joined", "joined"],
  ["ringing", "comes to nothing", "none"],
  ["briefing", "has heard the whisper", "joining"],
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
