import { execFileSync } from "node:child_process";
import { DTMF_DIGITS } from "@parley/shared/contracts/call-constants.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { needs } from "../../testkit/needs.ts";
import { flite } from "../../testkit/speech.ts";
import { decodeMulaw, encodeMulaw } from "../codecs/mulaw.ts";
import { Framer } from "../framing/framer.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { createResampler } from "../resample/resampler.ts";
import { DtmfDetector } from "./detector.ts";
import { generateDtmf } from "./generator.ts";
import { tonesOf } from "./keypad.ts";

const ALL_KEYS = DTMF_DIGITS.join("");

/** All keys found in `samples`, by a new detector unless one is given. */
function detect(samples: Int16Array, detector = new DtmfDetector()): string {
  const framer = new Framer(FRAME_SAMPLES);
  let found = "";
  const listen = (frame: Int16Array): void => {
    found += detector.push(frame) ?? "";
  };
  framer.push(samples, listen);
  framer.flush(listen);
  return found;
}

interface Tone {
  readonly ms?: number;
  readonly rowDb?: number;
  readonly columnDb?: number;
  /** Both tones this much too high. */
  readonly offsetPercent?: number;
  readonly startSample?: number;
}

/** One key press in the middle of a quiet stretch. */
function press(
  key: string,
  { ms = 80, rowDb = -12, columnDb = -12, offsetPercent = 0, startSample = 700 }: Tone = {},
) {
  const [rowHz, columnHz] = tonesOf(key)!;
  const factor = (1 + offsetPercent / 100) * 2 * Math.PI;
  const samples = new Int16Array(startSample + ms * 16 + 1_600);
  for (let i = 0; i < ms * 16; i++) {
    const row = 32_767 * 10 ** (rowDb / 20) * Math.sin((factor * rowHz * i) / 16_000);
    const column = 32_767 * 10 ** (columnDb / 20) * Math.sin((factor * columnHz * i) / 16_000);
    samples[startSample + i] = Math.round(row + column);
  }
  return samples;
}

function addNoise(samples: Int16Array, peak: number): Int16Array {
  let seed = 3;
  return samples.map((x) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.max(-32_768, Math.min(32_767, x + (seed / 0x7fffffff - 0.5) * 2 * peak));
  });
}

async function throughTelephone(samples: Int16Array): Promise<Int16Array> {
  const [down, up] = await Promise.all([createResampler(16_000, 8_000), createResampler(8_000, 16_000)]);
  const narrow = down.process(samples);
  const codes = new Uint8Array(narrow.length);
  encodeMulaw(narrow, codes);
  const decoded = new Int16Array(narrow.length);
  decodeMulaw(codes, decoded);
  const wide = up.process(decoded).slice();
  down.free();
  up.free();
  return wide;
}

describe("the generator", () => {
  it("makes every key a tone and a gap, and waits for w and ,", () => {
    expect(generateDtmf("12", { toneMs: 100, gapMs: 80 })).toHaveLength(360 * 16);
    expect(generateDtmf("1w2,", { toneMs: 50, gapMs: 50 })).toHaveLength(1_200 * 16);
    expect(generateDtmf("")).toHaveLength(0);
  });

  it("names a key that does not exist", () => {
    expect(() => generateDtmf("12x")).toThrow(
      expect.objectContaining({ code: "validation_failed", message: expect.stringContaining('"x"') }),
    );
  });

  it("never clips", () => {
    expect(Math.max(...generateDtmf(ALL_KEYS).map(Math.abs))).toBeLessThan(32_000);
  });
});

describe("the detector", () => {
  it("hears every key once, in order, wherever the frames cut them", () => {
    const digits = fc.array(fc.constantFrom(...DTMF_DIGITS), { minLength: 1, maxLength: 12 });
    const timing = fc.record({
      toneMs: fc.integer({ min: 45, max: 300 }),
      gapMs: fc.integer({ min: 45, max: 200 }),
    });
    fc.assert(
      fc.property(digits, timing, fc.integer({ min: 0, max: 640 }), (keys, times, leadSamples) => {
        const tones = generateDtmf(keys.join(""), times);
        const samples = new Int16Array(leadSamples + tones.length);
        samples.set(tones, leadSamples);
        expect(detect(samples)).toBe(keys.join(""));
      }),
      { numRuns: 60 },
    );
  });

  it.each([...ALL_KEYS])("hears 40 ms of %s wherever it begins", (key) => {
    for (let startSample = 500; startSample < 710; startSample += 7) {
      expect(detect(press(key, { ms: 40, startSample })), `from ${startSample}`).toBe(key);
    }
  });

  it("does not hear a tone shorter than 20 ms", () => {
    for (let startSample = 500; startSample < 710; startSample += 7) {
      expect(detect(press("5", { ms: 19, startSample }))).toBe("");
    }
  });

  it("takes one long press for one key, drop-outs included, and two presses for two", () => {
    const long = press("7", { ms: 2_000 });
    long.fill(0, 8_000, 8_000 + 100);
    expect(detect(long)).toBe("7");
    expect(detect(generateDtmf("77", { toneMs: 60, gapMs: 45 }))).toBe("77");
  });

  it.each([
    ["equal tones, loud", { rowDb: -7, columnDb: -7 }, true],
    ["equal tones, quiet", { rowDb: -36, columnDb: -36 }, true],
    ["a row 6 dB stronger, as after a long line", { rowDb: -10, columnDb: -16 }, true],
    ["a row 8 dB stronger, the most there may be", { rowDb: -10, columnDb: -18 }, true],
    ["a row 8 dB stronger, for 45 ms", { rowDb: -10, columnDb: -18, ms: 45 }, true],
    ["a column 4 dB stronger, the most there may be", { rowDb: -14, columnDb: -10 }, true],
    ["a column 4 dB stronger, for 40 ms", { rowDb: -14, columnDb: -10, ms: 40 }, true],
    ["a row 12 dB stronger", { rowDb: -8, columnDb: -20 }, false],
    ["a column 10 dB stronger", { rowDb: -20, columnDb: -10 }, false],
    ["one tone only", { rowDb: -10, columnDb: -120 }, false],
    ["tones 1.5 % too high", { offsetPercent: 1.5 }, true],
    ["tones 1.5 % too low", { offsetPercent: -1.5 }, true],
    ["tones 3.5 % too high", { offsetPercent: 3.5 }, false],
    ["tones 3.5 % too low", { offsetPercent: -3.5 }, false],
  ] satisfies [string, Tone, boolean][])("judges %s", (_what, tone, isKey) => {
    for (const key of ALL_KEYS) expect(detect(press(key, tone)), key).toBe(isKey ? key : "");
  });

  it.each([
    ["row 8 dB", { rowDb: -10, columnDb: -18 }],
    ["column 4 dB", { rowDb: -14, columnDb: -10 }],
  ] satisfies [string, Tone][])("hears a %s stronger through noise at 15 dB", (_what, tone) => {
    const power = (10 ** (tone.rowDb / 10) + 10 ** (tone.columnDb / 10)) / 2;
    // Noise of even distribution between ± peak has a third of peak² as power.
    const peak = 32_767 * Math.sqrt((3 * power) / 10 ** 1.5);
    for (const key of ALL_KEYS) expect(detect(addNoise(press(key, tone), peak)), key).toBe(key);
  });

  it("hears keys through µ-law at 8 kHz and noise", async () => {
    const telephone = await throughTelephone(addNoise(generateDtmf(ALL_KEYS), 3_000));
    expect(detect(telephone)).toBe(ALL_KEYS);
  });

  it("hears nothing in two minutes of speech", async () => {
    const passages = [
      "The seven silver spoons were seen on Sunday, and eleven older men admired every one of them.",
      "Please call me back on Monday morning, I am in the office from nine until noon, and again after two.",
      "Who would know you through the moon? You do, said the woman, humming a new tune in the room.",
      "Many mornings Amanda and Emma murmured nonsense about the enormous annual lemon and melon market.",
      "Yes. No. Maybe. Hello? One, two, three, four, five, six, seven, eight, nine, zero, star, pound.",
      "Our early year always allowed awe; oil, iron and aluminium arrived in uneven, irregular orders.",
      "A quick question: would you mind if I put you on hold while I look up the order in our system?",
      "Oh, ooh, ah, aha! We all owe you a yellow yoyo, a lullaby, a low alarm and a loyal loan.",
    ];
    let seconds = 0;
    let found = "";
    for (const passage of passages.flatMap((p) => [
      p,
      p.toUpperCase(),
      `${p} ${p.split(" ").reverse().join(" ")}`,
    ])) {
      const speech = await flite(passage);
      seconds += speech.length / 16_000;
      found += detect(speech);
    }
    expect(seconds).toBeGreaterThan(120);
    expect(found).toBe("");
  });

  it("forgets on reset", () => {
    const detector = new DtmfDetector();
    const tone = press("5", { ms: 200, startSample: 0 }).subarray(0, 3_200);
    expect(detect(tone, detector)).toBe("5");
    detector.reset();
    expect(detect(tone, detector)).toBe("5");
  });

  describe.runIf(needs("sox"))("against sox", () => {
    it.each([...ALL_KEYS])("hears sox play %s", (key) => {
      const [rowHz, columnHz] = tonesOf(key)!;
      const synth = ["synth", "0.08", "sine", `${rowHz}`, "synth", "0.08", "sine", "mix", `${columnHz}`];
      const pcm = execFileSync("sox", [
        "-V1",
        "-n",
        "-r",
        "16000",
        "-c",
        "1",
        "-b",
        "16",
        "-e",
        "signed",
        "-t",
        "raw",
        "-",
        ...synth,
        "gain",
        "-6",
        "pad",
        "0.05",
        "0.05",
      ]);
      expect(detect(new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length)))).toBe(key);
    });
  });
});
