import type { StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import { describe, expect, test } from "vitest";
import { type LiveView, linesOf, NOTHING_YET, nextView } from "./live-view.ts";
import { momentsOf } from "./moments.ts";

type Role = "user" | "assistant";

const partial = (role: Role, turn: number, text: string): StreamFrame => ({
  topic: "call.transcript_partial",
  sessionId: "ses_1",
  data: { role, turn, text },
});
const said = (role: Role, turn: number, text: string, interrupted = false): StreamFrame => ({
  topic: "call.turn",
  sessionId: "ses_1",
  data: { role, turn, text, interrupted },
});
const after = (...frames: StreamFrame[]): LiveView =>
  frames.reduce((view, frame, index) => nextView(view, frame, index), NOTHING_YET);
const kept = (role: Role, turn: number, text: string) => ({ role, turn, text, interrupted: false });
/** Lines as `text`, those that may change with `…`. */
const read = (view: LiveView, record: ReturnType<typeof kept>[] = []) =>
  linesOf(record, view).map(({ text, isOpen }) => (isOpen ? `${text}…` : text));

describe("the conversation of a live call", () => {
  test.for<[name: string, view: LiveView, lines: string[], speaker: Role | undefined]>([
    ["words that come in are open", after(partial("user", 1, "Are you")), ["Are you…"], "user"],
    [
      "words that come in grow and are complete",
      after(partial("user", 1, "Are"), partial("user", 1, "Are you"), said("user", 1, "Are you open?")),
      ["Are you open?"],
      undefined,
    ],
    [
      "an answer that comes in stands below the question",
      after(said("user", 1, "Open?"), partial("assistant", 1, "We")),
      ["Open?", "We…"],
      "assistant",
    ],
    [
      "a sound that was no speech leaves no line",
      after(partial("user", 1, "Hm"), partial("user", 1, "")),
      [],
      undefined,
    ],
    [
      "an answer that the next question overtook was not heard",
      after(said("user", 1, "Open?"), partial("assistant", 1, "We"), said("user", 2, "Hello?")),
      ["Open?", "Hello?"],
      undefined,
    ],
    [
      "the agent goes on while the caller speaks",
      after(partial("assistant", 1, "We are open"), partial("user", 2, "Wait")),
      ["We are open…", "Wait…"],
      "user",
    ],
  ])("%s", ([, view, lines, speaker]) => {
    expect(read(view)).toEqual(lines);
    expect(view.speaker).toBe(speaker);
  });

  test("a line is there once, whether the stream or the record told of it first", () => {
    const view = after(said("user", 1, "Hello"), said("assistant", 1, "Good day"));
    expect(read(view, [kept("user", 1, "Hello")])).toEqual(["Hello", "Good day"]);
    expect(read(view, [kept("user", 1, "Hello"), kept("assistant", 1, "Good day")])).toEqual([
      "Hello",
      "Good day",
    ]);
    expect(read(NOTHING_YET, [kept("user", 1, "Hello")])).toEqual(["Hello"]);
  });

  test("what is said twice in a turn is there twice", () => {
    const view = after(said("user", 1, "Yes"), said("user", 1, "Yes"));
    expect(read(view)).toEqual(["Yes", "Yes"]);
    expect(read(view, [kept("user", 1, "Yes")])).toEqual(["Yes", "Yes"]);
    expect(read(view, [kept("user", 1, "Yes"), kept("user", 1, "Yes")])).toEqual(["Yes", "Yes"]);
  });

  test("a call of hours does not fill the memory", () => {
    const view = after(...Array.from({ length: 1_000 }, (_, turn) => said("user", turn, "Yes")));
    expect(view.said.length).toBeLessThanOrEqual(50);
  });

  test("the end closes what was open", () => {
    const ended: StreamFrame = {
      topic: "call.ended",
      sessionId: "ses_1",
      data: { reason: "hangup", durationSecs: 7 },
    };
    const view = after(partial("user", 1, "Well"), ended);
    expect(view).toMatchObject({ open: {}, speaker: undefined, ended: { reason: "hangup" } });
  });
});

describe("what only the stream tells", () => {
  const frame = (topic: "call.barge_in" | "call.silence" | "call.node_entered", data: object) =>
    ({ topic, sessionId: "ses_1", data }) as StreamFrame;
  const happened = after(
    frame("call.barge_in", { turn: 3, heardText: "We", interruptedAtMs: 200 }),
    frame("call.silence", { silentMs: 10_000, action: "prompt" }),
    frame("call.node_entered", { node: "booking" }),
  );
  const call = { channel: "telephony", direction: "inbound", transcript: [], path: [] };

  test("is said in words", () => {
    expect(momentsOf(call, happened).map(({ text }) => text)).toEqual([
      "Caller interrupted the agent in turn 3",
      "Silence for 10 s: the agent asks",
      "The agent came to booking",
    ]);
  });

  test("gives way to the record's interruption", () => {
    const transcript = [
      { role: "assistant" as const, turn: 3, text: "We", interrupted: true, at: "2026-11-20T10:00:00.000Z" },
      { role: "user" as const, turn: 4, text: "No", interrupted: false, at: "2026-11-20T10:00:01.000Z" },
    ];
    expect(momentsOf({ ...call, transcript }, happened)).toHaveLength(2);
  });

  test("gives way to the record's node, and not to the same node earlier in the call", () => {
    const [moment] = happened.moments.filter(({ what }) => what.is === "node");
    const at = (ms: number) => new Date((moment?.atMs ?? 0) + ms).toISOString();
    const path = (ms: number) => [{ node: "booking", turn: 1, at: at(ms), agentId: null }];
    expect(momentsOf({ ...call, path: path(-200) }, happened)).toHaveLength(2);
    expect(momentsOf({ ...call, path: path(-60_000) }, happened)).toHaveLength(3);
  });
});
