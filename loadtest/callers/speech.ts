import { FRAME_SAMPLES } from "@parley/media/pcm.ts";
import { createFlite } from "@parley/media/tts/flite.ts";

/** A caller's sentence: 20 ms frames as sent (16 kHz PCM), and the words. */
export interface Utterance {
  readonly text: string;
  readonly frames: readonly Buffer[];
}

const SENTENCES = [
  "I would like to book a table for two people tomorrow evening.",
  "What are your opening hours on Sunday?",
  "Could you tell me whether you have anything for vegetarians?",
];
/** Quieter samples are trimmed from both ends, so an utterance starts and ends with voice. */
const SILENCE_PEAK = 400;
const NOISE_PEAK = 24;
const NOISE_FRAMES = 50;

/** Synthesizes the callers' sentences with the built-in voice. */
export async function makeUtterances(): Promise<Utterance[]> {
  const flite = createFlite({ threads: 1 });
  const reply = flite.openReply({ signal: new AbortController().signal });
  const utterances: Utterance[] = [];
  for (const text of SENTENCES) {
    const pieces: Int16Array[] = [];
    for await (const samples of reply.say(text)) pieces.push(samples);
    utterances.push({ text, frames: asFrames(trimmed(Int16Array.from(pieces.flatMap((p) => [...p])))) });
  }
  await flite.close?.();
  return utterances;
}

/** A quiet room's soft noise, frame by frame. */
export function makeRoomNoise(): Buffer[] {
  const samples = new Int16Array(NOISE_FRAMES * FRAME_SAMPLES).map(() =>
    Math.round((Math.random() * 2 - 1) * NOISE_PEAK),
  );
  return asFrames(samples);
}

function trimmed(samples: Int16Array): Int16Array {
  const isLoud = (sample: number): boolean => Math.abs(sample) > SILENCE_PEAK;
  return samples.subarray(samples.findIndex(isLoud), samples.findLastIndex(isLoud) + 1);
}

function asFrames(samples: Int16Array): Buffer[] {
  const frames: Buffer[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    frames.push(Buffer.from(samples.slice(at, at + FRAME_SAMPLES).buffer));
  }
  return frames;
}
