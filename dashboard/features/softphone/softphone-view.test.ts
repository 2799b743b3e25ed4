import { describe, expect, test } from "vitest";
import { IDLE, nextView, type SoftphoneEvent, type SoftphoneView } from "./softphone-view.ts";

const LIVE: SoftphoneView = {
  ...IDLE,
  phase: { at: "live" },
  answeredAtMs: 1_000,
  transferringTo: "+12025550199",
};

function after(...events: readonly SoftphoneEvent[]): SoftphoneView {
  return events.reduce((view, event) => nextView(view, { event, atMs: 2_000 }), LIVE);
}

describe("that nobody took the call over", () => {
  const told: SoftphoneEvent = {
    type: "message",
    message: { type: "transfer", state: "failed", why: "busy" },
  };

  test.for<[string, SoftphoneEvent]>([
    ["it was read", { type: "came-back-read" }],
    ["somebody else is to take it", { type: "transferring", to: "+12025550198" }],
    ["the call is put on hold", { type: "held", isHeld: true }],
    ["the microphone is muted", { type: "muted", isMuted: true }],
    ["a key is sent", { type: "pressed", digit: "1" }],
    ["the connection drops", { type: "resuming" }],
    ["the call ends", { type: "ended", reason: "hangup" }],
  ])("is told until %s", ([, event]) => {
    expect(after(told).cameBack).toEqual({ why: "busy", from: "+12025550199" });
    expect(after(told, event).cameBack).toBeUndefined();
  });

  test.for<[string, SoftphoneEvent]>([
    ["the other side presses keys", { type: "message", message: { type: "dtmf", digits: "5" } }],
    ["the line is measured", { type: "round-trip", ms: 40 }],
    ["a microphone is chosen", { type: "microphone", microphone: { is: "on" } }],
  ])("stays to be read while %s", ([, event]) => {
    expect(after(told, event).cameBack).toEqual({ why: "busy", from: "+12025550199" });
  });
});
