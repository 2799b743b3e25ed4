import { describe, expect, it } from "vitest";
import { VoiceActivity, type VoiceActivityOptions } from "./voice-activity.ts";

/** Pushes a frame for each character ('#' voice, '.' none); gives what changed, with the time it was said. */
function run(frames: string, options: VoiceActivityOptions = {}): string[] {
  const activity = new VoiceActivity({ detectorOverhangMs: 0, ...options });
  return [...frames].flatMap((frame) => {
    const change = activity.push(frame === "#");
    return change === undefined ? [] : [`${change.type} ${change.atMs} at ${activity.nowMs}`];
  });
}

const SILENCE = ".".repeat(10);

describe("a voice that may be beginning", () => {
  it.each<[what: string, frames: string, byDetector: string, stirring: string]>([
    ["lasts until it has begun", `${SILENCE}##`, `${SILENCE}##`, "..........##"],
    ["is known by the detector first", `${SILENCE}....`, `${SILENCE}####`, "..........####"],
    ["is none where the detector hears a noise go on", "..........", "##########", "#####....."],
    ["is none once it is a voice", "######", "######", "##...."],
  ])("%s", (_what, frames, byDetector, stirring) => {
    const activity = new VoiceActivity({ detectorOverhangMs: 0 });
    const is = [...frames].map((frame, i) => {
      activity.push(frame === "#", byDetector[i] === "#");
      return activity.isStirring ? "#" : ".";
    });
    expect(is.join("")).toBe(stirring);
  });
});

describe("voice activity", () => {
  it.each<[what: string, frames: string, options: VoiceActivityOptions, changes: string[]]>([
    ["needs 60 ms of voice", "##..........", {}, []],
    ["tells when the voice began, not when it was sure", "...###", {}, ["started 60 at 120"]],
    ["lets an onset have a gap", "...#.##", {}, ["started 60 at 140"]],
    ["does not add up clicks that are far apart", "#...#...#...#", {}, []],
    ["counts an onset from the voice that made it", "#....###", {}, ["started 100 at 160"]],
    [
      "tells when the voice stopped, not when it was sure",
      `###${SILENCE}`,
      {},
      ["started 0 at 60", "ended 60 at 260"],
    ],
    [
      "bridges a pause shorter than the hangover",
      `###.........#${SILENCE}`,
      {},
      ["started 0 at 60", "ended 260 at 460"],
    ],
    [
      "hears a second voice",
      `###${SILENCE}.###`,
      {},
      ["started 0 at 60", "ended 60 at 260", "started 280 at 340"],
    ],
    ["needs a whole onset again after an end", `###${SILENCE}##`, {}, ["started 0 at 60", "ended 60 at 260"]],
    [
      "takes the detector's overhang off the end",
      `########${SILENCE}`,
      { detectorOverhangMs: 60 },
      ["started 0 at 60", "ended 100 at 360"],
    ],
    [
      "never ends a voice before its onset",
      `###${SILENCE}`,
      { detectorOverhangMs: 100 },
      ["started 0 at 60", "ended 60 at 260"],
    ],
    ["takes one frame for an onset when asked", "#", { onsetMs: 20 }, ["started 0 at 20"]],
    [
      "rounds odd times up to whole frames",
      "##....",
      { onsetMs: 30, hangoverMs: 70 },
      ["started 0 at 40", "ended 40 at 120"],
    ],
  ])("%s", (_what, frames, options, changes) => {
    expect(run(frames, options)).toEqual(changes);
  });

  it("tells how long the current voice has lasted, pauses at its end left out", () => {
    const activity = new VoiceActivity();
    const lengths = [..."..####..#.........."].map((frame) => {
      activity.push(frame === "#");
      return activity.voiceMs;
    });
    expect(lengths).toEqual([0, 0, 0, 0, 60, 80, 80, 80, 140, ...new Array(9).fill(140), 0]);
    expect(activity.isActive).toBe(false);
  });
});

/** Two lines, frame by frame: what the model says, and what the detector does. */
function runModel(model: string, detector: string): string[] {
  const activity = new VoiceActivity();
  return [...model].flatMap((frame, i) => {
    const change = activity.push(frame === "#", detector[i] === "#");
    return change === undefined ? [] : [`${change.type} ${change.atMs}`];
  });
}

describe("a voice that a model decides on", () => {
  it.each<[what: string, model: string, detector: string, changes: string[]]>([
    [
      "begins and ends where the detector heard it begin and end, its overhang taken off",
      "....######..............",
      ".############...........",
      ["started 20", "ended 160"],
    ],
    [
      "begins and ends by the model's own hearing where the detector hears a noise go on",
      `${".".repeat(20)}${"#".repeat(20)}${".".repeat(20)}`,
      "#".repeat(60),
      ["started 360", "ended 740"],
    ],
    ["begins with the second of the detector's stretches", "..........###", "##......#####", ["started 160"]],
    ["is none where the model hears none, whatever the detector does", ".".repeat(40), "#".repeat(40), []],
  ])("%s", (_what, model, detector, changes) => {
    expect(runModel(model, detector)).toEqual(changes);
  });
});
