import { describe, expect, test } from "vitest";
import type { ReadyMessage } from "./call-socket.ts";
import { type CallView, type CallViewEvent, IDLE_VIEW, nextView } from "./call-view.ts";

const ready: ReadyMessage = {
  type: "ready",
  sessionId: "ses_1",
  audio: { encoding: "pcm_s16le", sampleRate: 16_000 },
  resume: "token",
  mode: "agent",
  recognition: "client",
};
const metrics = {
  endOfTurnMs: 300,
  brainRequestMs: 0,
  brainFirstTokenMs: 200,
  firstClauseMs: 0,
  ttsFirstByteMs: 90,
  responseMs: 620,
};
const LIVE: readonly CallViewEvent[] = [
  { type: "started" },
  { type: "microphone", microphone: { is: "on" } },
  { type: "session", agentName: "Ada" },
  { type: "ready", ready },
];

/** What happens, and what of the view it changes. */
const CASES: readonly [title: string, events: readonly CallViewEvent[], expected: Partial<CallView>][] = [
  ["starting asks for the microphone", [{ type: "started" }], { phase: { at: "preparing" } }],
  ["giving up before the call leaves no trace", [{ type: "started" }, { type: "canceled" }], IDLE_VIEW],
  [
    "a session names the agent",
    LIVE.slice(0, 3),
    { phase: { at: "connecting" }, agentName: "Ada", microphone: { is: "on" } },
  ],
  ["ready makes the call live", LIVE, { phase: { at: "live" }, recognition: "client", mode: "agent" }],
  [
    "without a demo the page says so",
    [{ type: "started" }, { type: "no-session", fault: "no-demo", message: "none" }],
    { phase: { at: "no-session", fault: "no-demo", message: "none" } },
  ],
  ["a dropped socket resumes", [...LIVE, { type: "resuming" }], { phase: { at: "resuming" } }],
  [
    "a resumed call is live again",
    [...LIVE, { type: "resuming" }, { type: "ready", ready }],
    { phase: { at: "live" } },
  ],
  [
    "the state message moves the face",
    [...LIVE, { type: "message", message: { type: "state", state: "thinking" } }],
    { activity: "thinking" },
  ],
  [
    "the end of the call silences everybody and closes the microphone",
    [
      ...LIVE,
      { type: "message", message: { type: "state", state: "speaking" } },
      { type: "caller-speaking", speaking: true },
      { type: "hearing", text: "and" },
      { type: "ended", reason: "agent_end_call" },
    ],
    {
      phase: { at: "ended", reason: "agent_end_call" },
      activity: "listening",
      callerSpeaking: false,
      hearing: "",
      microphone: { is: "off" },
    },
  ],
  [
    "a refused microphone is remembered after the call",
    [
      { type: "started" },
      { type: "microphone", microphone: { is: "failed", fault: "refused" } },
      { type: "failed", failure: "overloaded" },
    ],
    { phase: { at: "failed", failure: "overloaded" }, microphone: { is: "failed", fault: "refused" } },
  ],
  [
    "a turn measured again replaces its bar",
    [
      { type: "message", message: { type: "metrics", turn: 1, ...metrics, responseMs: 900 } },
      { type: "message", message: { type: "metrics", turn: 1, ...metrics } },
    ],
    { turns: [{ turn: 1, ...metrics }] },
  ],
  [
    "an error stays until it was seen",
    [{ type: "message", message: { type: "error", code: "brain_failed", message: "no", fatal: false } }],
    { trouble: { code: "brain_failed", message: "no" } },
  ],
  [
    "an error that was seen goes away",
    [
      { type: "message", message: { type: "error", code: "brain_failed", message: "no", fatal: false } },
      { type: "trouble-seen" },
    ],
    { trouble: undefined },
  ],
  ["without a recognizer only typing is left", [...LIVE, { type: "no-recognizer" }], { recognition: "none" }],
  [
    "a call after another starts from nothing",
    [...LIVE, { type: "ended", reason: "hangup" }, { type: "started" }],
    { turns: [], entries: [], phase: { at: "preparing" } },
  ],
];

describe("the view of a call", () => {
  test.each(CASES)("%s", (_, events, expected) => {
    expect(events.reduce(nextView, IDLE_VIEW)).toMatchObject(expected);
  });

  test("keeps a bounded number of turns and lines", () => {
    let view = IDLE_VIEW;
    for (let turn = 1; turn <= 600; turn++) {
      view = nextView(view, { type: "message", message: { type: "metrics", turn, ...metrics } });
      const transcript = { type: "transcript", role: "user", text: "yes", final: true, turn } as const;
      view = nextView(view, { type: "message", message: transcript });
    }
    expect(view.turns.length).toBe(50);
    expect(view.entries.length).toBe(500);
    expect(view.turns.at(-1)?.turn).toBe(600);
  });
});
