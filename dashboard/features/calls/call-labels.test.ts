import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { expect, test } from "vitest";
import { clockText, lineText, nameIn, partyText, STATUS_NAMES, statusText } from "./call-labels.ts";

test("seconds are shown as minutes and seconds, and as hours from the first one on", () => {
  expect(clockText(0)).toBe("0:00");
  expect(clockText(65.9)).toBe("1:05");
  expect(clockText(3_599)).toBe("59:59");
  expect(clockText(3_665)).toBe("1:01:05");
});

test("a status of a later version is shown as it is", () => {
  expect(nameIn(STATUS_NAMES, "in-progress")).toBe("Live");
  expect(nameIn(STATUS_NAMES, "parked")).toBe("parked");
});

test("a chat that has not ended is open, while a call is live", () => {
  expect(statusText({ status: "in-progress", channel: "telephony" })).toBe("Live");
  expect(statusText({ status: "in-progress", channel: "whatsapp" })).toBe("Open");
  expect(statusText({ status: "completed", channel: "whatsapp" })).toBe("Completed");
});

test("the other side of a call is the caller, or whom we called, or the customer's name for somebody", () => {
  const call = {
    direction: "inbound",
    fromNumber: "+4930123",
    toNumber: "+4940456",
    identifier: "c-7",
  } as CallSummary;
  expect(partyText(call)).toBe("+4930123");
  expect(partyText({ ...call, direction: "outbound" })).toBe("+4940456");
  expect(partyText({ ...call, direction: "web", fromNumber: null })).toBe("c-7");
  expect(partyText({ ...call, fromNumber: null, identifier: null })).toBe("–");
});

test("keys are pressed, not said; words that only look alike stay as they are", () => {
  expect(lineText({ role: "user", text: "DTMF: 42#" })).toBe("Pressed 42#");
  expect(lineText({ role: "user", text: "DTMF: [card_number]" })).toBe("Pressed [card_number]");
  expect(lineText({ role: "user", text: "DTMF: ***" })).toBe("Pressed ***");
  expect(lineText({ role: "assistant", text: "DTMF: 5" })).toBe("DTMF: 5");
  expect(lineText({ role: "user", text: "DTMF: that is what I said" })).toBe("DTMF: that is what I said");
});
