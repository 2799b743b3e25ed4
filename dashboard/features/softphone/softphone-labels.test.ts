import { describe, expect, test } from "vitest";
import { farWords, hearingWords } from "./softphone-labels.ts";
import { IDLE, type SoftphoneView } from "./softphone-view.ts";

const LIVE: SoftphoneView = { ...IDLE, phase: { at: "live" }, microphone: { is: "on" } };
const WELL = { jitterMs: 5, bufferedMs: 60, lateFrames: 0, lostFrames: 0 };

describe("whether the other side hears a person", () => {
  test.for<[string, Partial<SoftphoneView>, boolean, string]>([
    ["who speaks", {}, true, "They hear you"],
    ["who says nothing", {}, false, "Your microphone is quiet"],
    ["who is muted, and speaks", { isMuted: true }, true, "Muted: they do not hear you"],
    [
      "who is muted on hold",
      { isMuted: true, isHeld: true },
      true,
      "On hold: neither of you hears the other",
    ],
    ["whom nobody answered", { phase: { at: "ringing" } }, true, "Nobody has answered yet"],
    [
      "whose connection broke",
      { phase: { at: "resuming" }, isMuted: true },
      true,
      "They do not hear you until the connection is back",
    ],
    [
      "without a microphone, whatever else is",
      { microphone: { is: "failed", fault: "missing" }, phase: { at: "resuming" }, isMuted: true },
      true,
      "They do not hear you: no microphone",
    ],
    [
      "whose network loses frames",
      { quality: { own: { ...WELL, lostFrames: 6, lateFrames: 5 }, far: WELL } },
      false,
      "They hear you with gaps: your network loses some of it",
    ],
    [
      "whose network loses a few of them",
      { quality: { own: { ...WELL, lostFrames: 5, lateFrames: 5 }, far: WELL } },
      true,
      "They hear you",
    ],
  ])("%s is told", ([, view, isHeard, text]) => {
    expect(hearingWords({ ...LIVE, ...view }, isHeard).text).toBe(text);
  });
});

describe("whether a person hears the other side", () => {
  test.for<[string, Partial<SoftphoneView>, boolean, string]>([
    ["that speaks", {}, true, "You hear them"],
    ["that says nothing", {}, false, "They are quiet"],
    ["on hold", { isHeld: true }, true, "On hold"],
    ["that has not answered", { phase: { at: "ringing" } }, false, "Nothing to hear yet"],
    [
      "in a browser that plays nothing",
      { hasSound: false, isHeld: true },
      true,
      "This browser plays no sound: you hear nobody",
    ],
  ])("%s is told", ([, view, isHeard, text]) => {
    expect(farWords({ ...LIVE, ...view }, isHeard)).toBe(text);
  });
});
