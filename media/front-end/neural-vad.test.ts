import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { music, overNoise, pinkNoise } from "../../testkit/noise.ts";
import { flite } from "../../testkit/speech.ts";
import { FRAME_SAMPLES } from "../pcm.ts";
import { loadNeuralVad, type NeuralVad, VoiceStream } from "./neural-vad.ts";
import { LOOKBACK_FRAMES } from "./window-count.ts";

let vad: NeuralVad;
beforeAll(async () => {
  vad = await loadNeuralVad();
});
afterAll(() => vad.close());

/** The probability after each frame of each stream, all of them looked at together. */
async function listen(sounds: readonly Int16Array[]): Promise<number[][]> {
  const streams = sounds.map(() => new VoiceStream());
  const heard = sounds.map((): number[] => []);
  const length = Math.min(...sounds.map((sound) => sound.length));
  for (let at = 0; at + FRAME_SAMPLES <= length; at += FRAME_SAMPLES) {
    for (const [i, stream] of streams.entries()) {
      stream.push((sounds[i] as Int16Array).subarray(at, at + FRAME_SAMPLES));
    }
    await vad.look(streams);
    for (const [i, stream] of streams.entries()) heard[i]?.push(stream.probability);
  }
  return heard;
}

const share = (heard: readonly number[]): number => heard.filter((p) => p >= 0.5).length / heard.length;
const TWO_SECONDS = 32_000;

describe("the model of voice", () => {
  it("hears speech, in noise and over music as well, and no voice in noise, music and silence", async () => {
    const speech = (await flite("Book a table for two people tomorrow evening please.", "rms")).slice(
      0,
      TWO_SECONDS,
    );
    const [pink, song] = [pinkNoise(speech.length), music(speech.length)];
    const at5Db = { snrDb: 5, fromMs: 0 };
    const sounds = [speech, overNoise(speech, pink, at5Db), overNoise(speech, song, at5Db)];
    const [clean, noisy, sung, noise, tune, silence] = await listen([
      ...sounds,
      ...[pink, song, new Int16Array(speech.length)],
    ]);
    for (const heard of [clean, noisy, sung]) expect(share(heard ?? [])).toBeGreaterThan(0.5);
    for (const heard of [noise, tune, silence]) expect(share(heard ?? [1])).toBe(0);
  });

  it("hears each of many streams as if it were alone", async () => {
    const sounds = [
      await flite("Hello there, how are you?"),
      await flite("No thanks."),
      pinkNoise(TWO_SECONDS),
    ];
    const together = await listen(sounds);
    for (const [i, sound] of sounds.entries()) {
      const [alone] = await listen([sound]);
      for (const [frame, p] of (together[i] ?? []).entries())
        expect(p).toBeCloseTo(alone?.[frame] as number, 4);
    }
  });

  it("looks at the sound up to the first frame's end after a restart", async () => {
    const speech = (await flite("Hello there, how are you?")).subarray(8_000);
    const stream = new VoiceStream();
    stream.restart();
    for (let frame = 0; frame <= LOOKBACK_FRAMES; frame++) {
      stream.push(speech.subarray(frame * FRAME_SAMPLES, (frame + 1) * FRAME_SAMPLES));
      await vad.look([stream]);
    }
    expect(stream.hasWindow).toBe(false);
    expect(stream.probability).toBeGreaterThan(0.5);
  });
});
