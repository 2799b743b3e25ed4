import { describe, expect, it } from "vitest";
import { levelOf } from "../level/level-of.ts";
import { FRAME_MS, FRAME_SAMPLES } from "../pcm.ts";
import { ClearVoice } from "./clear-voice.ts";

/** A frame at so many dB of full scale. */
function at(levelDb: number): Int16Array {
  return new Int16Array(FRAME_SAMPLES).fill(Math.round(32_768 * 10 ** (levelDb / 20)));
}

function run(clarity: ClearVoice, levelDb: number, ms: number, isVoice = true): number {
  for (let passed = 0; passed < ms; passed += FRAME_MS) clarity.push(levelOf(at(levelDb)), isVoice);
  return clarity.clearMs;
}

/** A caller who has said something at −24 dB in a room of −55 dB. */
function knowsCaller(): ClearVoice {
  const clarity = new ClearVoice();
  run(clarity, -55, 1_000, false);
  clarity.begin();
  run(clarity, -24, 600);
  clarity.learn();
  run(clarity, -55, 1_000, false);
  clarity.begin();
  return clarity;
}

describe("a clear voice", () => {
  it("is every voice out of the room's noise while the caller was not heard yet", () => {
    const clarity = new ClearVoice();
    run(clarity, -55, 1_000, false);
    expect(run(clarity, -40, 200)).toBe(200);
  });

  it("is none that hardly stands out of the room's noise", () => {
    const clarity = new ClearVoice();
    run(clarity, -45, 1_000, false);
    expect(run(clarity, -40, 1_000)).toBe(0);
  });

  it("is the caller's own, also when they turn away a little", () => {
    expect(run(knowsCaller(), -32, 400)).toBe(400);
  });

  it.each([-15, -20, -30])("is none that is %i dB below the caller's", (belowDb) => {
    expect(run(knowsCaller(), -24 + belowDb, 2_000)).toBe(0);
  });

  it("lasts through the gaps between words, and is over after a longer one", () => {
    const clarity = knowsCaller();
    run(clarity, -24, 200);
    run(clarity, -55, 280, false);
    expect(run(clarity, -24, 100)).toBe(580);
    run(clarity, -55, 400, false);
    expect(clarity.clearMs).toBe(0);
  });

  it("is not as long as the gaps between single sounds", () => {
    const clarity = knowsCaller();
    for (let key = 0; key < 8; key++) {
      run(clarity, -24, 40);
      run(clarity, -55, 160, false);
    }
    expect(clarity.clearMs).toBe(320);
  });

  it("follows a caller who comes nearer or goes away, once words were heard from them", () => {
    const clarity = knowsCaller();
    for (let utterance = 0; utterance < 8; utterance++) {
      clarity.begin();
      run(clarity, -40, 600);
      clarity.learn();
      run(clarity, -55, 200, false);
    }
    clarity.begin();
    expect(run(clarity, -45, 400)).toBe(400);
  });
});
