import { msToSamples } from "../pcm.ts";

/** Range of a voice's period: 2.5 to 16 ms, or 400 to 62 Hz. */
const SHORTEST_PERIOD = msToSamples(2.5);
const LONGEST_PERIOD = msToSamples(16);
/** Length of audio compared to find the period. */
const COMPARED = msToSamples(16);
/** Half-life of the concealment's fade-out, since nobody knows how the voice went on. */
const HALF_LIFE_SAMPLES = msToSamples(30);

/** Length of audio needed before and after a gap to fill it. */
export const CONTEXT_SAMPLES = COMPARED + LONGEST_PERIOD;

/**
 * Fills a gap of `length` samples between two pieces of one voice: the audio before continues into the gap period by
 * period, the audio after extends back into it, and the two cross-fade. Suits gaps of up to 60 ms. `before` and `after`
 * may be shorter than `CONTEXT_SAMPLES`; a side without sound adds silence.
 */
export function conceal(length: number, before: Int16Array, after: Int16Array): Int16Array {
  const forth = continued(before, length);
  const back = continued(after.slice().reverse(), length);
  return Int16Array.from({ length }, (_, i) => {
    const share = (i + 1) / (length + 1);
    return Math.round((forth[i] as number) * (1 - share) + (back[length - 1 - i] as number) * share);
  });
}

/** Continues a voice past its end, ever softer. */
function continued(voice: Int16Array, length: number): Float32Array {
  const out = new Float32Array(length);
  const period = Math.min(periodOf(voice), voice.length);
  if (period === 0) return out;
  const from = voice.length - period;
  for (let i = 0; i < length; i++) {
    out[i] = (voice[from + (i % period)] as number) * 0.5 ** (i / HALF_LIFE_SAMPLES);
  }
  return out;
}

/** The period at which the end of a voice best matches what came before. */
function periodOf(voice: Int16Array): number {
  const compared = Math.min(COMPARED, voice.length - LONGEST_PERIOD);
  if (compared <= 0) return voice.length;
  const from = voice.length - compared;
  let best = { likeness: Number.NEGATIVE_INFINITY, period: LONGEST_PERIOD };
  for (let period = SHORTEST_PERIOD; period <= LONGEST_PERIOD; period++) {
    const likeness = likenessAt(voice, from, period);
    if (likeness > best.likeness) best = { likeness, period };
  }
  return best.period;
}

function likenessAt(voice: Int16Array, from: number, period: number): number {
  let [product, power] = [0, 0];
  for (let i = from; i < voice.length; i++) {
    const earlier = voice[i - period] as number;
    product += (voice[i] as number) * earlier;
    power += earlier * earlier;
  }
  return power === 0 ? 0 : product / Math.sqrt(power);
}
