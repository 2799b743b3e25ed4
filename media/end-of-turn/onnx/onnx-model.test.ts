import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterEach, describe, expect, it } from "vitest";
import { loudnessModel, meanOfFeaturesModel, writeOnnxModel } from "../../../testkit/onnx-models.ts";
import type { EndOfTurnOutcome } from "../within-time.ts";
import { OnnxEndOfTurnModel } from "./onnx-model.ts";

const ONE_SECOND = 16_000;
const HALF_SCALE = 16_384;

let model: OnnxEndOfTurnModel | undefined;
let clock: ManualClock;
let outcomes: EndOfTurnOutcome[] = [];
afterEach(async () => {
  await model?.close();
  model = undefined;
});

async function open(path: string): Promise<OnnxEndOfTurnModel> {
  clock = new ManualClock();
  outcomes = [];
  model = await OnnxEndOfTurnModel.open({
    ...{ path, withinMs: 150, clock },
    onAsked: (outcome) => void outcomes.push(outcome),
  });
  return model;
}

const said = (samples: number) => ({
  ...{ text: "my number is", language: "en", history: [] },
  sound: () => new Int16Array(samples).fill(HALF_SCALE),
});

describe("an end-of-turn model by path", () => {
  it("hears the last of a turn's sound, with silence in front of a short one", async () => {
    const { hearsMs, ask } = bound(await open(await writeOnnxModel(loudnessModel([1, ONE_SECOND]))));
    expect(hearsMs).toBe(1_000);
    expect(await ask(ONE_SECOND / 2)).toBe(0.25);
    expect(await ask(3 * ONE_SECOND)).toBe(0.5);
    expect(await ask(0)).toBe(0);
    expect(outcomes).toEqual(["answered", "answered", "answered"]);
  });

  it("hears eight seconds when it takes any length", async () => {
    const { hearsMs, ask } = bound(await open(await writeOnnxModel(loudnessModel(["batch", "samples"]))));
    expect(hearsMs).toBe(8_000);
    expect(await ask(4 * ONE_SECOND)).toBe(0.25);
  });

  it("gets Whisper's log-mel when that is its input", async () => {
    const { hearsMs, ask } = bound(await open(await writeOnnxModel(meanOfFeaturesModel([1, 80, 800]))));
    expect(hearsMs).toBe(8_000);
    const [silent, short] = [await ask(0), await ask(2 * ONE_SECOND)];
    // Silence is -10 in tenfolds of power: (-10 + 4) / 4 = -1.5.
    expect(silent).toBeCloseTo(1 / (1 + Math.exp(1.5)), 6);
    expect(short).toBeGreaterThan(silent as number);
  });

  it("has no say after its time, and whoever waited behind is never asked", async () => {
    const { ask } = bound(await open(await writeOnnxModel(loudnessModel([1, ONE_SECOND]))));
    let listened = 0;
    const counted = { ...said(0), sound: () => new Int16Array(++listened) };
    const late = [model?.ask(counted), model?.ask(counted), model?.ask(counted)];
    clock.advance(150);
    expect(await Promise.all(late)).toEqual([undefined, undefined, undefined]);
    expect(await ask(ONE_SECOND)).toBe(0.5);
    expect(outcomes).toEqual(["timeout", "timeout", "timeout", "answered"]);
    expect(listened).toBe(1);
  });

  it("that ends has no say", async () => {
    const { ask } = bound(await open(await writeOnnxModel(loudnessModel([1, ONE_SECOND]))));
    await model?.close();
    expect(await ask(ONE_SECOND)).toBeUndefined();
    expect(outcomes).toEqual(["failed"]);
  });
});

describe("a file that is no end-of-turn model is refused with what is wrong:", () => {
  const audio = { name: "audio", shape: [1, ONE_SECOND] } as const;
  const finished = { name: "finished", shape: [1, 1] } as const;
  it.each([
    [
      "no input of sound",
      loudnessModel([1, 2, 3, 4]),
      /its input "audio" \(float32 \[1, 2, 3, 4\]\) does not fit; one float32 input/,
    ],
    ["a batch of two", loudnessModel([2, ONE_SECOND]), /\[2, 16000\]\) does not fit/],
    ["other bands than Whisper's", meanOfFeaturesModel([1, 128, 800]), /\[1, 128, 800\]\) does not fit/],
    ["too little sound", loudnessModel([1, 800]), /is 0.05 s of sound; from 0.1 to 30 s/],
    ["too much sound", meanOfFeaturesModel([1, 80, 30_000]), /is 300 s of sound/],
    [
      "text",
      {
        inputs: [{ name: "input_ids", type: "int64", shape: [1, "tokens"] }],
        operations: [{ type: "Abs", inputs: ["input_ids"], output: "finished" }],
        outputs: [{ name: "finished", type: "int64", shape: [1, "tokens"] }],
      },
      /its input "input_ids" \(int64 \[1, tokens\]\) does not fit/,
    ],
    [
      "two inputs",
      {
        inputs: [audio, { ...audio, name: "more" }],
        operations: [{ type: "Add", inputs: ["audio", "more"], output: "finished" }],
        outputs: [{ ...audio, name: "finished" }],
      },
      /it has 2 inputs \(audio, more\)/,
    ],
    [
      "two outputs",
      { ...loudnessModel([1, ONE_SECOND]), outputs: [finished, { ...audio, name: "amounts" }] },
      /it has 2 outputs \(finished, amounts\); one float32 output/,
    ],
    [
      "many answers",
      {
        inputs: [audio],
        operations: [{ type: "Abs", inputs: ["audio"], output: "finished" }],
        outputs: [{ ...audio, name: "finished" }],
      },
      /it answers with 16000 numbers/,
    ],
    [
      "no probability",
      {
        ...loudnessModel([1, ONE_SECOND], { name: "mean", shape: [1, 1] }),
        operations: [
          ...loudnessModel([1, ONE_SECOND], { name: "mean", shape: [1, 1] }).operations,
          { type: "Exp", inputs: ["mean"], output: "one" },
          { type: "Add", inputs: ["one", "one"], output: "finished" },
        ],
        outputs: [finished],
      },
      /it answers 2; .*sigmoid/,
    ],
  ] as const)("%s", async (_what, graph, problem) => {
    await expect(writeOnnxModel(graph).then(open)).rejects.toThrow(problem);
  });

  it("no ONNX, and no file", async () => {
    const path = await writeOnnxModel(loudnessModel([1, ONE_SECOND]));
    writeFileSync(path, "PNG");
    await expect(open(path)).rejects.toThrow(/protobuf/i);
    await expect(open(`${path}.gone`)).rejects.toThrow(/exist/i);
  });
});

it("that is not loaded within a minute is refused, whatever holds it up", async () => {
  const pipe = join(mkdtempSync(join(tmpdir(), "parley-model-")), "model.onnx");
  execFileSync("mkfifo", [pipe]);
  const opened = open(pipe);
  // Nothing is ever written to it; whoever reads waits, until it is closed below.
  const refused = expect(opened).rejects.toThrow("it was not loaded within 60 s");
  clock.advance(59_999);
  clock.advance(1);
  await refused;
  closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
});

function bound(open: OnnxEndOfTurnModel) {
  return { hearsMs: open.hearsMs, ask: (samples: number) => open.ask(said(samples)) };
}
