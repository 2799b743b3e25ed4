import { describe, expect, expectTypeOf, it } from "vitest";
import { type CallEvent, callEventSchema } from "./call-events.ts";
import {
  CALL_STATES,
  CALL_STATUSES,
  type CallState,
  END_REASONS,
  END_STATUSES,
  ENDINGS,
  type Ending,
  type EndReason,
  type EndStatus,
  endBy,
  endFor,
  isOver,
  nextState,
  STEPS,
  type Step,
  settled,
  stateOf,
  statusesBefore,
  statusOf,
} from "./call-status.ts";

const TRANSITIONS: readonly [CallState, Step | Ending, CallState][] = [
  ["queued", "rings", "ringing"],
  ["queued", "goes live", "in-progress"],
  ["queued", "hangs up", "no-answer"],
  ["queued", "is busy", "busy"],
  ["queued", "is declined", "busy"],
  ["queued", "does not answer", "no-answer"],
  ["queued", "is withdrawn", "canceled"],
  ["queued", "is canceled", "canceled"],
  ["queued", "meets a machine", "completed"],
  ["queued", "is ended by us", "failed"],
  ["queued", "fails", "failed"],
  ["ringing", "is taken", "taken"],
  ["ringing", "goes live", "in-progress"],
  ["ringing", "hangs up", "no-answer"],
  ["ringing", "is busy", "busy"],
  ["ringing", "is declined", "busy"],
  ["ringing", "does not answer", "no-answer"],
  ["ringing", "is withdrawn", "canceled"],
  ["ringing", "is canceled", "canceled"],
  ["ringing", "meets a machine", "completed"],
  ["ringing", "is ended by us", "failed"],
  ["ringing", "fails", "failed"],
  ["taken", "rings on", "ringing"],
  ["taken", "goes live", "in-progress"],
  ["taken", "hangs up", "no-answer"],
  ["taken", "is busy", "busy"],
  ["taken", "is declined", "busy"],
  ["taken", "does not answer", "no-answer"],
  ["taken", "is withdrawn", "canceled"],
  ["taken", "is canceled", "canceled"],
  ["taken", "meets a machine", "completed"],
  ["taken", "is ended by us", "failed"],
  ["taken", "fails", "failed"],
  ["in-progress", "hangs up", "completed"],
  ["in-progress", "is busy", "completed"],
  ["in-progress", "is declined", "completed"],
  ["in-progress", "does not answer", "completed"],
  ["in-progress", "is withdrawn", "completed"],
  ["in-progress", "is canceled", "completed"],
  ["in-progress", "meets a machine", "completed"],
  ["in-progress", "is ended by us", "completed"],
  ["in-progress", "fails", "failed"],
];

describe("the life of a call", () => {
  it.each(TRANSITIONS)("takes one that is %s and %s to %s", (from, event, to) => {
    expect(nextState(from, event)).toBe(to);
  });

  const refused = CALL_STATES.flatMap((state) =>
    [...STEPS, ...ENDINGS].map((event) => [state, event] as const),
  ).filter(([state, event]) => !TRANSITIONS.some(([from, on]) => from === state && on === event));
  it.each(refused)("leaves one that is %s and %s what it is", (state, event) => {
    expect(nextState(state, event)).toBe(state);
  });

  it("has five ends, each for good", () => {
    expect(CALL_STATES.filter(isOver)).toEqual(["completed", "failed", "no-answer", "busy", "canceled"]);
  });

  it("tells of one that a member has taken what everybody is told of one that is live", () => {
    expect(CALL_STATES.filter((state) => statusOf(state) !== state)).toEqual(["taken"]);
    expect(statusOf("taken")).toBe("in-progress");
  });

  it.each(CALL_STATUSES)("finds one whose row says %s where it stands", (status) => {
    const startedAt = new Date();
    expect(stateOf({ status, startedAt })).toBe(status);
    const waiting = status === "in-progress" ? "taken" : status;
    expect(stateOf({ status, startedAt: null })).toBe(waiting);
  });

  it("lets one go live that has not gone live and is not over", () => {
    expect(statusesBefore("goes live")).toEqual(["queued", "ringing", "in-progress"]);
  });
});

/** What a reason makes of a call that never went live, and of one that did. */
const REASONS: Readonly<Record<EndReason, readonly [before: EndStatus, live: EndStatus]>> = {
  agent_end_call: ["failed", "completed"],
  llm_end_call: ["failed", "completed"],
  flow_end: ["failed", "completed"],
  silence_hangup: ["failed", "completed"],
  max_duration: ["failed", "completed"],
  hangup: ["no-answer", "completed"],
  connection_lost: ["failed", "completed"],
  api_request: ["canceled", "completed"],
  node_lost: ["failed", "failed"],
  never_connected: ["canceled", "completed"],
  node_draining: ["failed", "completed"],
  internal_error: ["failed", "failed"],
  no_answer: ["no-answer", "completed"],
  busy: ["busy", "completed"],
  carrier_failed: ["failed", "failed"],
  transferred: ["failed", "completed"],
  amd_hangup: ["completed", "completed"],
  voicemail_drop: ["completed", "completed"],
  ivr_hangup: ["completed", "completed"],
  chat_idle: ["failed", "completed"],
  declined: ["busy", "completed"],
};
const DENYING: readonly string[] = ["busy", "declined", "no_answer"];

describe("the end of a call", () => {
  it.each(END_REASONS)("by %s has one status before media flows, and one after", (reason) => {
    const [before, live] = REASONS[reason];
    for (const state of ["queued", "ringing", "taken"] as const)
      expect(endFor(state, reason)).toEqual({ status: before, reason });
    expect(endFor("in-progress", reason).status).toBe(live);
  });

  it.each(END_REASONS)(
    "by %s is told so of a live call unless that denies that it was answered",
    (reason) => {
      expect(endFor("in-progress", reason).reason).toBe(DENYING.includes(reason) ? "hangup" : reason);
    },
  );

  it("by a reason nobody knows is completed when it was live, else failed", () => {
    expect(endFor("in-progress", "toString")).toEqual({ status: "completed", reason: "toString" });
    expect(endFor("ringing", "moon_eclipse")).toEqual({ status: "failed", reason: "moon_eclipse" });
  });

  it.each([
    ["is canceled", "api_request", "hangup"],
    ["is withdrawn", "api_request", "api_request"],
  ] as const)(
    "of a live call that %s is a plain one, for the reason of who did it",
    (ending, told, reason) => {
      expect(endBy("in-progress", { ending, reason: told })).toEqual({ status: "completed", reason });
    },
  );

  it.each(END_STATUSES)("that is written down as %s stays so, whatever follows", (status) => {
    for (const ending of ENDINGS)
      expect(endBy(status, { ending, reason: "x" })).toEqual({ status, reason: "x" });
    for (const told of END_STATUSES)
      expect(settled(status, { status: told, reason: "x" })).toEqual({ status, reason: "x" });
  });

  it.each(END_STATUSES)("that is told as %s is written down so before media flows", (told) => {
    const end = { status: told, reason: "x" };
    for (const state of ["queued", "ringing", "taken"] as const) expect(settled(state, end)).toEqual(end);
  });

  it.each([
    ["completed", "completed", "x"],
    ["failed", "failed", "x"],
    ["no-answer", "completed", "hangup"],
    ["busy", "completed", "hangup"],
    ["canceled", "completed", "hangup"],
  ] as const)("that is told as %s is written down of a live call as %s (%s)", (told, status, reason) => {
    expect(settled("in-progress", { status: told, reason: "x" })).toEqual({ status, reason });
  });

  it("cannot be told as anything else", () => {
    const event = { id: "evt_1", sessionId: "ses_1", orgId: "org_1", seq: 0, at: "2026-11-20T10:00:00.000Z" };
    const tell = (status: string) =>
      callEventSchema.safeParse({ ...event, type: "call.ended", reason: "hangup", status }).success;
    expect(CALL_STATES.filter(tell)).toEqual([...END_STATUSES]);
  });
});

// Checked by `npm run types`.
describe("a status", () => {
  it("written by hand is refused where a call's end is told", () => {
    expectTypeOf<EndStatus>().not.toExtend<Extract<CallEvent, { type: "call.ended" }>["status"]>();
  });

  it("that this table gives is accepted", () => {
    expectTypeOf(endFor).returns.toExtend<Pick<Extract<CallEvent, { type: "call.ended" }>, "status">>();
  });
});
