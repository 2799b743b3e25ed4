import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { expect, test } from "vitest";
import { timelineOf } from "./timeline.ts";

const at = (secs: number): string => new Date(Date.UTC(2026, 10, 20) + secs * 1_000).toISOString();

const NO_FLOW = { path: [], handOffs: [] };

test("what happened in a call is told in its order, with words for each", () => {
  const events: CallDetail["events"] = [
    { id: "evt_1", type: "call.started", at: at(0), about: null },
    { id: "evt_2", type: "call.machine_detected", at: at(1), about: "machine_start" },
    { id: "evt_3", type: "call.dtmf", at: at(5), about: "#" },
    { id: "evt_4", type: "call.transfer_requested", at: at(6), about: "+12025550142" },
    { id: "evt_5", type: "recording.ready", at: at(8), about: null },
    { id: "evt_6", type: "call.ended", at: at(9), about: "transferred" },
  ];
  const tools = [
    { turn: 2, name: "find", arguments: {}, result: {}, status: "success", latencyMs: 90, at: at(4) },
  ];
  const transcript = [
    { role: "assistant" as const, turn: 1, text: "We", interrupted: true, at: at(3) },
    { role: "user" as const, turn: 2, text: "Wait", interrupted: false, at: at(3) },
  ];
  const path = [{ node: "greeting", turn: 0, at: at(2), agentId: null }];
  const handOffs = [{ agentId: "agt_2", agentVersion: 1, summary: "Wants to book.", at: at(7.5) }];
  const more = [{ key: "live", atMs: Date.parse(at(7)), text: "Silence", kind: "event" as const }];
  const call = { channel: "telephony", direction: "inbound", events, tools, transcript, path, handOffs };
  expect(timelineOf(call, more).map(({ text }) => text)).toEqual([
    "Connected",
    "A machine was detected: machine_start",
    "The agent came to greeting",
    "Caller interrupted the agent in turn 1",
    "Tool find in turn 2: success after 90 ms",
    "Caller pressed #",
    "The agent asked for a transfer to +12025550142",
    "Silence",
    "Handed to the agent agt_2: Wants to book.",
    "Recording saved",
    "Ended: transferred",
  ]);
});

test("an answer that the call's end cut was not interrupted by the caller", () => {
  const transcript = [
    { role: "user" as const, turn: 1, text: "Open?", interrupted: false, at: at(1) },
    { role: "assistant" as const, turn: 1, text: "We", interrupted: true, at: at(2) },
  ];
  const call = { channel: "telephony", direction: "inbound", events: [], tools: [], transcript, ...NO_FLOW };
  expect(timelineOf(call)).toEqual([]);
});

test("what was deleted of an event is not guessed", () => {
  const events: CallDetail["events"] = [{ id: "evt_1", type: "call.dtmf", at: at(0), about: null }];
  const call = { channel: "softphone", direction: "outbound", events, tools: [], transcript: [], ...NO_FLOW };
  expect(timelineOf(call).map(({ text }) => text)).toEqual(["Phone pressed a key"]);
});
