import { buffer } from "node:stream/consumers";
import { OggOpusDecoder } from "ogg-opus-decoder";
import { beforeAll, describe, expect, it } from "vitest";
import { flite } from "../../testkit/speech.ts";
import { encodeApart } from "./encode-apart.ts";
import { viewAsWav, type WavView } from "./wav-view.ts";

const SECOND = 16_000;
/** Not a whole number of frames. */
const SAMPLES = 15 * SECOND + 77;

/** The caller speaks at the beginning and from second 9 on, the agent from second 4 on; nothing else is heard. */
async function conversation(): Promise<Int16Array> {
  const speech = await flite("The quick brown fox jumps over the lazy dog.");
  const both = new Int16Array(2 * SAMPLES);
  for (const [at, side] of [
    [0, 0],
    [4, 1],
    [9, 0],
    [12, 1],
  ] as const)
    for (let i = 0; i < speech.length; i++) both[2 * (at * SECOND + i) + side] = speech[i] ?? 0;
  return both;
}

const sideOf = (samples: Int16Array, side: 0 | 1): Int16Array =>
  samples.filter((_, index) => index % 2 === side);
const levelOf = (samples: Int16Array): number =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

/** Normalized correlation at the same instant: sound that is in its place. */
function likeness(a: Int16Array, b: Int16Array): number {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x = 0, y = 0] = [a[i], b[i]];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return ab / Math.sqrt(aa * bb || 1);
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537);
}

const wholeOf = async (view: WavView, start = 0, end = view.sizeBytes - 1): Promise<Buffer> =>
  buffer(view.open({ start, end }));

describe("a call as Ogg Opus", () => {
  let sound: Int16Array;
  let made: { file: Uint8Array; peaks: Int8Array };
  let view: WavView;
  let whole: Buffer;
  let reads = 0;
  beforeAll(async () => {
    sound = await conversation();
    const shape = { channels: 2, points: 100, samples: SAMPLES };
    made = await encodeApart(inPieces(new Uint8Array(sound.buffer)), shape, new AbortController().signal);
    view = await viewAsWav(async ({ start, end }) => {
      reads += end - start;
      return Buffer.from(made.file).subarray(start, end);
    }, made.file.length);
    whole = await wholeOf(view);
  });

  it("begins and ends its stream, and says so on its pages, as readers of Ogg want it", () => {
    const file = Buffer.from(made.file);
    const pages = [...file.toString("latin1").matchAll(/OggS\0/g)].map(({ index }) => file[index + 5]);
    expect(pages.length).toBeGreaterThan(10);
    expect(pages.at(0)).toBe(2);
    expect(pages.at(-1)).toBe(4);
    expect(new Set(pages.slice(1, -1))).toEqual(new Set([0]));
  });

  it("takes a tenth of the room, and little for silence", () => {
    expect(made.file.length).toBeLessThan((SAMPLES * 4) / 20);
    expect(made.file.length / 15).toBeLessThan(3_000);
  });

  it("is decoded as the WAV file it was: as long to the byte, each side in its place and alone on it", () => {
    expect(view.sizeBytes).toBe(44 + 4 * SAMPLES);
    expect(whole).toHaveLength(view.sizeBytes);
    expect(whole.readUInt32LE(40)).toBe(4 * SAMPLES);
    const decoded = new Int16Array(Uint8Array.from(whole.subarray(44)).buffer);
    for (const side of [0, 1] as const)
      expect(likeness(sideOf(sound, side), sideOf(decoded, side))).toBeGreaterThan(0.95);
    // Where only the caller spoke, the agent's side is silent.
    expect(levelOf(sideOf(decoded.subarray(0, 2 * 2 * SECOND), 1))).toBeLessThan(2);
    expect(levelOf(sideOf(decoded.subarray(2 * 8 * SECOND, 2 * 11 * SECOND), 1))).toBeLessThan(2);
  });

  it.each([
    [0, 10],
    [43, 48],
    [50, 51],
    [44 + 4 * 9 * SECOND + 3, 44 + 4 * 11 * SECOND + 1],
    [44 + 4 * (SAMPLES - 3), 43 + 4 * SAMPLES],
  ])("gives bytes %i to %i as they stand in the whole", async (start, end) => {
    expect(await wholeOf(view, start, end)).toEqual(whole.subarray(start, end + 1));
  });

  it("is read around the part that is asked for, and no more", async () => {
    reads = 0;
    await wholeOf(view, 44 + 4 * 2 * SECOND, 44 + 4 * 3 * SECOND);
    expect(reads).toBeLessThan(made.file.length / 2);
  });

  it("is heard alike by a decoder of somebody else", async () => {
    const decoder = new OggOpusDecoder();
    await decoder.ready;
    const { channelData, samplesDecoded, sampleRate, errors } = await decoder.decodeFile(made.file);
    decoder.free();
    expect(errors).toEqual([]);
    expect({ sampleRate, samplesDecoded }).toEqual({ sampleRate: 48_000, samplesDecoded: 3 * SAMPLES });
    channelData.forEach((channel, side) => {
      const heard = Int16Array.from({ length: SAMPLES }, (_, i) => 32_767 * (channel[3 * i] ?? 0));
      expect(likeness(sideOf(sound, side === 0 ? 0 : 1), heard)).toBeGreaterThan(0.95);
    });
  });

  it("has the peaks of the sound as it was", () => {
    expect(made.peaks).toHaveLength(400);
    expect(Math.max(...made.peaks)).toBeGreaterThan(10);
  });

  it("that is damaged is refused, not heard as noise", async () => {
    const damaged = Uint8Array.from(made.file);
    damaged[damaged.length - 500] = (damaged[damaged.length - 500] ?? 0) ^ 1;
    const torn = await viewAsWav(async ({ start, end }) => damaged.subarray(start, end), damaged.length);
    await expect(wholeOf(torn)).rejects.toMatchObject({ code: "unavailable" });
  });

  it("is given up when nobody wants it any more", async () => {
    const stop = new AbortController();
    async function* endless() {
      for (;;) {
        yield new Uint8Array(64_000);
        stop.abort(new Error("enough"));
      }
    }
    await expect(
      encodeApart(endless(), { channels: 2, points: 1, samples: 1 }, stop.signal),
    ).rejects.toThrow();
  });
});
