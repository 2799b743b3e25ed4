import { msToSamples } from "../pcm.ts";

/** About −50 dB of full scale; a voice below this is inaudible. */
const AUDIBLE = 100;
/** Kept before the first sound, so that a soft consonant keeps its beginning. */
const LEAD_IN_SAMPLES = msToSamples(20);
/** Kept after the last sound: the pause between two sentences. */
const PAUSE_SAMPLES = msToSamples(200);
/** Longer silence before a voice is intended. */
const MAX_LEADING_SAMPLES = msToSamples(600);

/**
 * Trims the silence that voices put around a clause: up to 200 ms before the first sound, for which the caller would
 * wait, and as much again after the last one. Silence inside stays as it is. `onLeftOff` reports how much was trimmed
 * before the first chunk, which comes next.
 */
export async function* trimSilence(
  chunks: AsyncIterable<Int16Array>,
  onLeftOff?: (samples: number) => void,
): AsyncGenerator<Int16Array> {
  let leftOffSamples = 0;
  let leadingSamples = 0;
  let hasSounded = false;
  let tail: Int16Array[] = [];
  for await (const chunk of chunks) {
    let samples = chunk;
    if (!hasSounded) {
      const first = samples.findIndex(isAudible);
      const quietSamples = first === -1 ? samples.length : first;
      leadingSamples += quietSamples;
      if (first === -1 && leadingSamples <= MAX_LEADING_SAMPLES) {
        leftOffSamples += samples.length;
        continue;
      }
      hasSounded = true;
      const leftOff = Math.max(0, quietSamples - LEAD_IN_SAMPLES);
      samples = samples.subarray(leftOff);
      onLeftOff?.(leftOffSamples + leftOff);
    }
    const soundEnd = samples.findLastIndex(isAudible) + 1;
    if (soundEnd > 0) {
      yield* tail;
      tail = [];
      yield samples.subarray(0, soundEnd);
    }
    // Quiet audio is held back until the voice goes on or ends; copied, because vendors reuse their buffers.
    if (soundEnd < samples.length) tail.push(samples.slice(soundEnd));
  }
  yield* firstOf(tail, PAUSE_SAMPLES);
}

function isAudible(sample: number): boolean {
  return sample > AUDIBLE || sample < -AUDIBLE;
}

function* firstOf(chunks: readonly Int16Array[], samples: number): Generator<Int16Array> {
  let left = samples;
  for (const chunk of chunks) {
    if (left <= 0) return;
    yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}
