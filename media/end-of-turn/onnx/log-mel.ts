import { PCM_RATE_HZ } from "../../pcm.ts";

/** Whisper's features: 80 mel bands in one column per 10 ms, from windows of 25 ms. */
export const MEL_BANDS = 80;
export const HOP_SAMPLES = PCM_RATE_HZ / 100;
const WINDOW_SAMPLES = 400;
/** 400 = 20 × 20: the transform takes two steps of 20. */
const RADIX = 20;
const BINS = WINDOW_SAMPLES / 2 + 1;
const BIN_HZ = PCM_RATE_HZ / WINDOW_SAMPLES;
/** Slaney's scale: linear up to 1 kHz, then 27 bands per factor of 6.4. */
const EVEN_BELOW_HZ = 1_000;
const HZ_A_MEL = 200 / 3;
const EVEN_MELS = EVEN_BELOW_HZ / HZ_A_MEL;
const MELS_A_NEPER = 27 / Math.log(6.4);
const LEAST_POWER = 1e-10;
const LEAST_VARIANCE = 1e-7;
/** Range in decades of power; anything further below the loudest value is raised to it. */
const RANGE = 8;

const turn = (2 * Math.PI) / WINDOW_SAMPLES;
const COS = Float64Array.from({ length: WINDOW_SAMPLES }, (_, i) => Math.cos(turn * i));
const SIN = Float64Array.from({ length: WINDOW_SAMPLES }, (_, i) => Math.sin(turn * i));
const HANN = COS.map((cos) => 0.5 - 0.5 * cos);
const FILTERS = melFilters();

/**
 * The log-mel spectrogram that Whisper's encoder takes: `MEL_BANDS` rows of `samples.length / HOP_SAMPLES` columns,
 * from samples first normalized to mean 0 and variance 1 (`WhisperFeatureExtractor` with `do_normalize`).
 */
export function logMel(samples: Float32Array): Float32Array {
  const columns = Math.floor(samples.length / HOP_SAMPLES);
  const padded = reflected(normalized(samples));
  const features = new Float32Array(MEL_BANDS * columns);
  const [re, im] = [new Float64Array(WINDOW_SAMPLES), new Float64Array(WINDOW_SAMPLES)];
  let loudest = Number.NEGATIVE_INFINITY;
  for (let column = 0; column < columns; column += 2) {
    // Two real windows form one complex one: half the work.
    for (let i = 0; i < WINDOW_SAMPLES; i++) {
      re[i] = at(padded, column * HOP_SAMPLES + i) * at(HANN, i);
      im[i] = column + 1 < columns ? at(padded, (column + 1) * HOP_SAMPLES + i) * at(HANN, i) : 0;
    }
    const powers = powersOfBoth(transformed(re, im));
    for (const [second, power] of powers.entries()) {
      if (column + second >= columns) continue;
      for (const [band, { from, weights }] of FILTERS.entries()) {
        let sum = 0;
        for (let i = 0; i < weights.length; i++) sum += at(weights, i) * at(power, from + i);
        const level = Math.log10(Math.max(LEAST_POWER, sum));
        features[band * columns + column + second] = level;
        loudest = Math.max(loudest, level);
      }
    }
  }
  return features.map((level) => (Math.max(level, loudest - RANGE) + 4) / 4);
}

interface Filter {
  readonly from: number;
  readonly weights: Float64Array;
}

/** Triangles of equal area, evenly spaced on the mel scale from 0 to 8 kHz. */
export function melFilters(): Filter[] {
  const highest = melOf(PCM_RATE_HZ / 2);
  const corners = Array.from({ length: MEL_BANDS + 2 }, (_, i) => hzOf((highest * i) / (MEL_BANDS + 1)));
  return Array.from({ length: MEL_BANDS }, (_, band) => {
    const [low = 0, center = 0, high = 0] = corners.slice(band, band + 3);
    const from = Math.ceil(low / BIN_HZ);
    const to = Math.min(BINS - 1, Math.floor(high / BIN_HZ));
    const weights = Float64Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => {
      const hz = (from + i) * BIN_HZ;
      const share = Math.min((hz - low) / (center - low), (high - hz) / (high - center));
      return (2 / (high - low)) * Math.max(0, share);
    });
    return { from, weights };
  });
}

function melOf(hz: number): number {
  return hz < EVEN_BELOW_HZ ? hz / HZ_A_MEL : EVEN_MELS + Math.log(hz / EVEN_BELOW_HZ) * MELS_A_NEPER;
}

function hzOf(mel: number): number {
  return mel < EVEN_MELS ? mel * HZ_A_MEL : EVEN_BELOW_HZ * Math.exp((mel - EVEN_MELS) / MELS_A_NEPER);
}

function normalized(samples: Float32Array): Float32Array {
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
  const variance = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / samples.length;
  const scale = 1 / Math.sqrt(variance + LEAST_VARIANCE);
  return samples.map((sample) => (sample - mean) * scale);
}

/** Extends both ends by half a window, mirrored. */
function reflected(samples: Float32Array): Float32Array {
  const half = WINDOW_SAMPLES / 2;
  const padded = new Float32Array(samples.length + 2 * half);
  padded.set(samples, half);
  for (let i = 1; i <= half; i++) {
    padded[half - i] = at(samples, i);
    padded[half + samples.length - 1 + i] = at(samples, samples.length - 1 - i);
  }
  return padded;
}

interface Spectrum {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** The discrete Fourier transform of one window: 20 transforms of 20 points, twiddles, and 20 transforms again. */
function transformed(re: Float64Array, im: Float64Array): Spectrum {
  return stepOf(stepOf({ re, im }, [1, RADIX], 1), [RADIX, 1], 0);
}

/** One of the transform's two steps; the strides lead from transform to transform and from point to point. */
function stepOf(
  { re, im }: Spectrum,
  [transformStride, pointStride]: readonly [number, number],
  twiddles: 0 | 1,
): Spectrum {
  const out = { re: new Float64Array(WINDOW_SAMPLES), im: new Float64Array(WINDOW_SAMPLES) };
  for (let n = 0; n < RADIX; n++) {
    for (let k = 0; k < RADIX; k++) {
      let sumRe = 0;
      let sumIm = 0;
      for (let m = 0; m < RADIX; m++) {
        const place = n * transformStride + m * pointStride;
        const angle = (RADIX * m * k) % WINDOW_SAMPLES;
        sumRe += at(re, place) * at(COS, angle) + at(im, place) * at(SIN, angle);
        sumIm += at(im, place) * at(COS, angle) - at(re, place) * at(SIN, angle);
      }
      const twiddle = twiddles * n * k;
      const place = k * RADIX + n;
      out.re[place] = sumRe * at(COS, twiddle) + sumIm * at(SIN, twiddle);
      out.im[place] = sumIm * at(COS, twiddle) - sumRe * at(SIN, twiddle);
    }
  }
  return out;
}

/** Separates the spectra of the two real windows: the power of each, by bin. */
function powersOfBoth({ re, im }: Spectrum): [Float64Array, Float64Array] {
  const [first, second] = [new Float64Array(BINS), new Float64Array(BINS)];
  for (let bin = 0; bin < BINS; bin++) {
    const mirror = (WINDOW_SAMPLES - bin) % WINDOW_SAMPLES;
    const [evenRe, oddRe] = [at(re, bin) + at(re, mirror), at(re, bin) - at(re, mirror)];
    const [evenIm, oddIm] = [at(im, bin) + at(im, mirror), at(im, bin) - at(im, mirror)];
    first[bin] = (evenRe ** 2 + oddIm ** 2) / 4;
    second[bin] = (evenIm ** 2 + oddRe ** 2) / 4;
  }
  return [first, second];
}

function at(values: Float32Array | Float64Array, index: number): number {
  return values[index] as number;
}
