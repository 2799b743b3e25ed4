import { Allotment, type HearingWishes } from "@parley/media/front-end/allotment.ts";
import { FrontEnd } from "@parley/media/front-end/front-end.ts";
import { FRAME_SAMPLES, msToSamples } from "@parley/media/pcm.ts";
import { VoiceActivity, type VoiceChange } from "@parley/media/vad/voice-activity.ts";
import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { music, overNoise, pinkNoise, rms } from "../../testkit/noise.ts";
import { flite } from "../../testkit/speech.ts";
import { type HeardFrame, Hearing } from "./hearing.ts";

const frontEnd = new FrontEnd({ clock: systemClock, onAnswer: () => undefined, onFailed: () => undefined });
const allotment = new Allotment(frontEnd);
/** The sentence begins here. */
const FROM_MS = 2_000;
const AFTER_MS = 2_500;

beforeAll(async () => {
  while (!frontEnd.isReady) await new Promise(setImmediate);
});
afterAll(() => frontEnd.close());

/** What each frame of `sound` is heard as. */
async function hear(
  sound: Int16Array,
  wishes: HearingWishes,
  heard: (frame: HeardFrame) => void,
): Promise<void> {
  const hearing = new Hearing({
    vad: await createVad(2),
    frontEnd: allotment.open(wishes),
    now: () => 0,
    onLate: () => undefined,
  });
  for (let at = 0; at + FRAME_SAMPLES <= sound.length; at += FRAME_SAMPLES) {
    const frame = sound.subarray(at, at + FRAME_SAMPLES);
    await new Promise<void>((resolve) =>
      hearing.hear(frame, at, (judged) => {
        heard(judged);
        resolve();
      }),
    );
  }
  hearing.close();
}

/** The voices that are heard in `sound`; `vad` as an agent's settings have it. */
async function voicesIn(
  sound: Int16Array,
  vad: "neural" | "webrtc",
): Promise<(VoiceChange & { knownMs: number })[]> {
  const activity = new VoiceActivity();
  const changes: (VoiceChange & { knownMs: number })[] = [];
  await hear(sound, { noiseSuppression: "off", vad }, ({ isVoice, detected }) => {
    const change = activity.push(isVoice, detected);
    if (change) changes.push({ ...change, knownMs: activity.nowMs });
  });
  return changes;
}

const line = async (): Promise<{ speech: Int16Array; length: number; toMs: number }> => {
  const speech = await flite("I would like to book a table for two people.", "rms");
  const toMs = FROM_MS + speech.length / 16;
  return { speech, length: Math.ceil(((toMs + AFTER_MS) * 16) / FRAME_SAMPLES) * FRAME_SAMPLES, toMs };
};

describe("a caller in a room", () => {
  it("that is quiet is heard by the model as by the detector, edge for edge", async () => {
    const { speech, length } = await line();
    const sound = overNoise(speech, new Int16Array(length).fill(1), { snrDb: 70, fromMs: FROM_MS });
    const edges = (changes: readonly VoiceChange[]): number[] => changes.map(({ atMs }) => atMs);
    expect(edges(await voicesIn(sound, "neural"))).toEqual(edges(await voicesIn(sound, "webrtc")));
  });

  it.each([
    ["with noise 5 dB below them", pinkNoise, 5],
    ["with music 10 dB below them", music, 10],
  ])(
    "%s begins and ends one voice, while the detector alone hears no end of it",
    async (_room, noise, snrDb) => {
      const { speech, length, toMs } = await line();
      const sound = overNoise(speech, noise(length), { snrDb, fromMs: FROM_MS });
      const changes = await voicesIn(sound, "neural");
      expect(changes.map(({ type }) => type)).toEqual(["started", "ended"]);
      expect(Math.abs((changes[0]?.atMs ?? 0) - FROM_MS)).toBeLessThanOrEqual(250);
      expect(Math.abs((changes[1]?.atMs ?? 0) - toMs)).toBeLessThanOrEqual(250);
      const alone = await voicesIn(sound, "webrtc");
      const ends = alone.filter(({ type, atMs }) => type === "ended" && Math.abs(atMs - toMs) <= 250);
      expect(alone.length === 2 && ends.length === 1).toBe(false);
    },
  );

  it("ends their turn over voices that go on 20 dB below them", async () => {
    const { speech, length, toMs } = await line();
    const other = await flite(
      "The rainbow is a division of white light into many beautiful colors. These take the shape",
    );
    const others = Int16Array.from(
      { length },
      (_, at) => (other[at % other.length] ?? 0) + (other[(at + 9_000) % other.length] ?? 0),
    );
    const sound = overNoise(speech, others, { snrDb: 20, fromMs: FROM_MS });
    const end = (changes: readonly (VoiceChange & { knownMs: number })[]) =>
      changes.find(({ type, atMs }) => type === "ended" && atMs > toMs - 400);
    expect(end(await voicesIn(sound, "neural"))?.knownMs).toBeLessThan(toMs + 700);
    expect(end(await voicesIn(sound, "webrtc"))?.knownMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(
      toMs + 1_500,
    );
  });

  it("gives the recognizer their voice alone, and a quiet line to the last sample", async () => {
    const { speech, length } = await line();
    const heardOf = async (snrDb: number): Promise<{ sound: Int16Array; clean: Int16Array }> => {
      const sound = overNoise(speech, pinkNoise(length), { snrDb, fromMs: FROM_MS });
      const clean: Int16Array[] = [];
      await hear(sound, { noiseSuppression: "auto", vad: "webrtc" }, (frame) =>
        clean.push(frame.clean.slice()),
      );
      return { sound, clean: Int16Array.from(clean.flatMap((frame) => [...frame])) };
    };
    const pause = (samples: Int16Array): number =>
      rms(samples.subarray(msToSamples(1_000), msToSamples(1_900)));
    const noisy = await heardOf(10);
    expect(pause(noisy.clean)).toBeLessThan(pause(noisy.sound) / 8);
    const quiet = await heardOf(60);
    expect(quiet.clean).toEqual(quiet.sound.subarray(0, quiet.clean.length));
  });
});
