import { msToSamples } from "../pcm.ts";

/** A voice repeats itself after 2.5 to 16 ms: 400 to 62 Hz. */
const SHORTEST_PERIOD = msToSamples(2.5);
const LONGEST_PERIOD = msToSamples(16);
/** So much of it tells the period. */
const COMPARED = msToSamples(16);
/** What is made up fades by a half over this: nobody knows how the voice went on. */
const HALF_LIFE_SAMPLES = msToSamples(30);

/** So much before and after a gap is needed to fill it. */
export const CONTEXT_SAMPLES = COMPARED + LONGEST_PERIOD;

/**
 * Fills a gap of `length` samples between two pieces of one voice: what came before goes on into it, period by period, what
 * comes after reaches back into it, and the one fades over into the other. Fit for gaps of up to 60 ms. `before` and
 * `after` may be shorter than `CONTEXT_SAMPLES`; a side without sound adds silence.
 */
export function conceal(length: number, before: Int16Array, after: Int16Array): Int16Array {
  const forth = continued(before, length);
  const back = continued(after.slice().reverse(), length);
  return Int16Array.from({ length }, (_, i) => {
    const share = (i + 1) / (length + 1);
    return Math.round((forth[i] as number) * (1 - share) + (back[length - 1 - i] as number) * share);
  });
}

/** How a voice goes on after its end, softer and softer. */
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

/** The period in which the end of a voice is most like what was before it. */
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
