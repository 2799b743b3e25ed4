import { POINTS, transform } from "./fourier.ts";
import {
  decimated,
  type SentWaveform,
  WAVEFORM_FRAME,
  WAVEFORM_RATE_HZ,
  waveformAt,
} from "./sent-waveform.ts";

const FROM_HZ = 250;
const TO_HZ = 1_900;
const FIRST_BIN = Math.round((FROM_HZ * POINTS) / WAVEFORM_RATE_HZ);
const BINS = Math.round((TO_HZ * POINTS) / WAVEFORM_RATE_HZ) - FIRST_BIN;
const HANN = Float64Array.from(
  { length: POINTS },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / POINTS),
);
/** Softer peaks of the agent come back as nothing: -60 dB of full scale. */
const AUDIBLE = 33;
/** Windows overlap by two thirds, so every other frame tells nearly as much as each. */
const STRIDE = 2;
/** How observations fade from one compared frame to the next: 0.4 s are remembered. */
const KEEP = 0.9;

/** Scratch space: lookups are synchronous, so all calls share it. */
const RE = new Float64Array(POINTS);
const IM = new Float64Array(POINTS);
const SENT = new Float64Array(POINTS);

/**
 * Cross spectra of the heard waveform with the sent one, for delays 20 ms apart, over the last 0.4 s of audible sound.
 * Windows of 64 ms cover the delays between.
 */
export class LagSpectra {
  readonly #lags: number;
  readonly #sent: SentWaveform;
  /** Spectra of sent windows, in a ring that turns with time; `#newest` is that of lag 0. */
  readonly #sentRe: readonly Float32Array[];
  readonly #sentIm: readonly Float32Array[];
  #newest = 0;
  /** How many of the newest sent spectra were not computed, because nothing was heard. */
  #missing: number;
  readonly #crossRe: readonly Float32Array[];
  readonly #crossIm: readonly Float32Array[];
  readonly #sentPower: readonly Float32Array[];
  readonly #heardPower = new Float32Array(BINS);
  readonly #heardRe = new Float32Array(BINS);
  readonly #heardIm = new Float32Array(BINS);
  readonly #heard = new Float64Array(POINTS);
  /** Where in the sent waveform the window of lag 0 ends. */
  #heardEnd = Number.NaN;
  #nowEnd = Number.NaN;
  #frames = 0;
  #skipped = 0;

  constructor(sent: SentWaveform, lags: number) {
    this.#lags = lags;
    this.#missing = lags;
    this.#sent = sent;
    const zeros = (): Float32Array[] => Array.from({ length: lags }, () => new Float32Array(BINS));
    this.#sentRe = zeros();
    this.#sentIm = zeros();
    this.#crossRe = zeros();
    this.#crossIm = zeros();
    this.#sentPower = zeros();
  }

  get lags(): number {
    return this.#lags;
  }

  /** How many audible frames of 20 ms are remembered; at most 20, because they fade. */
  get frames(): number {
    return this.#frames;
  }

  reset(): void {
    for (const sums of [...this.#crossRe, ...this.#crossIm, ...this.#sentPower]) sums.fill(0);
    this.#heardPower.fill(0);
    this.#frames = 0;
    this.#missing = this.#lags;
    this.#heardEnd = Number.NaN;
  }

  /**
   * Takes the frame of 20 ms that ended at `endMs`. Lag 0 is what was to be played `leadMs` later. A frame that is not
   * audible counts for nothing, and costs as much. Returns true if it was compared: every other audible frame is.
   */
  push(
    frame: Int16Array,
    { endMs, leadMs, isHeard }: { endMs: number; leadMs: number; isHeard: boolean },
  ): boolean {
    this.#heard.copyWithin(0, WAVEFORM_FRAME);
    for (let i = 0; i < WAVEFORM_FRAME; i++) {
      this.#heard[POINTS - WAVEFORM_FRAME + i] = decimated(frame, i);
    }
    this.#turn(waveformAt(endMs + leadMs));
    this.#nowEnd = this.#heardEnd - waveformAt(leadMs);
    if (!isHeard || ++this.#skipped < STRIDE) return false;
    this.#skipped = 0;
    this.#transformMissing();
    this.#add();
    return true;
  }

  /** The lag whose waveform is most like the heard one. */
  likeliest(): number {
    let best = 0;
    let most = 0;
    for (let lag = 0; lag < this.#lags; lag++) {
      const sum = this.#coherence(lag);
      if (sum > most) {
        most = sum;
        best = lag;
      }
    }
    return best;
  }

  /**
   * How sharply the waveforms meet at one delay near a lag, from 0 to 1, and at which: `offsetMs` after the lag. Each
   * frequency weighs the same, so a voice that merely sings the same tone does not meet it sharply.
   */
  peak(lag: number): { peak: number; offsetMs: number } {
    const crossRe = this.#crossRe[lag] as Float32Array;
    const crossIm = this.#crossIm[lag] as Float32Array;
    const sentPower = this.#sentPower[lag] as Float32Array;
    RE.fill(0);
    IM.fill(0);
    for (let k = 0; k < BINS; k++) {
      const scale = Math.sqrt((sentPower[k] as number) * (this.#heardPower[k] as number));
      if (scale === 0) continue;
      RE[k] = (crossRe[k] as number) / scale;
      IM[k] = -(crossIm[k] as number) / scale;
    }
    transform(RE, IM);
    let most = 0;
    let at = 0;
    for (let i = 0; i < POINTS; i++) {
      const re = RE[i] as number;
      const im = IM[i] as number;
      const power = re * re + im * im;
      if (power > most) {
        most = power;
        at = i;
      }
    }
    const offset = at < POINTS / 2 ? at : at - POINTS;
    return { peak: Math.sqrt(most) / BINS, offsetMs: (offset * 1_000) / WAVEFORM_RATE_HZ };
  }

  /**
   * The share of the last frame that is the sent waveform, as it comes back at a lag, from 0 to 1. Its loudness does not
   * matter, because a loudspeaker may be turned up; the rest is somebody else's. Too large while frames are few.
   */
  share(lag: number): number {
    const crossRe = this.#crossRe[lag] as Float32Array;
    const crossIm = this.#crossIm[lag] as Float32Array;
    const sentPower = this.#sentPower[lag] as Float32Array;
    const slot = (this.#newest + lag) % this.#lags;
    const sentRe = this.#sentRe[slot] as Float32Array;
    const sentIm = this.#sentIm[slot] as Float32Array;
    let [heard, echo, togetherRe, togetherIm] = [0, 0, 0, 0];
    for (let k = 0; k < BINS; k++) {
      const power = sentPower[k] as number;
      const scale = power > 0 ? 1 / power : 0;
      const gainRe = (crossRe[k] as number) * scale;
      const gainIm = (crossIm[k] as number) * scale;
      const x = sentRe[k] as number;
      const y = sentIm[k] as number;
      const echoRe = gainRe * x - gainIm * y;
      const echoIm = gainRe * y + gainIm * x;
      const a = this.#heardRe[k] as number;
      const b = this.#heardIm[k] as number;
      heard += a * a + b * b;
      echo += echoRe * echoRe + echoIm * echoIm;
      togetherRe += a * echoRe + b * echoIm;
      togetherIm += b * echoRe - a * echoIm;
    }
    return heard * echo > 0 ? (togetherRe * togetherRe + togetherIm * togetherIm) / (heard * echo) : 0;
  }

  /** The gain at which the sent waveform comes back at a lag in a range of frequencies, as power. */
  gain(lag: number, fromHz: number, toHz: number): number {
    const [from, to] = [binOf(fromHz), binOf(toHz)];
    const sentPower = this.#sentPower[lag] as Float32Array;
    let sent = 0;
    for (let k = from; k < to; k++) sent += sentPower[k] as number;
    return sent > 0 ? this.#echoPower(lag, from, to) / sent : 0;
  }

  #echoPower(lag: number, from: number, to: number): number {
    const crossRe = this.#crossRe[lag] as Float32Array;
    const crossIm = this.#crossIm[lag] as Float32Array;
    const sentPower = this.#sentPower[lag] as Float32Array;
    let echo = 0;
    for (let k = from; k < to; k++) {
      const power = sentPower[k] as number;
      const re = crossRe[k] as number;
      const im = crossIm[k] as number;
      if (power > 0) echo += (re * re + im * im) / power;
    }
    return echo;
  }

  #coherence(lag: number): number {
    const crossRe = this.#crossRe[lag] as Float32Array;
    const crossIm = this.#crossIm[lag] as Float32Array;
    const sentPower = this.#sentPower[lag] as Float32Array;
    const heardPower = this.#heardPower;
    let sum = 0;
    for (let k = 0; k < BINS; k++) {
      const scale = (sentPower[k] as number) * (heardPower[k] as number);
      const re = crossRe[k] as number;
      const im = crossIm[k] as number;
      if (scale > 0) sum += (re * re + im * im) / scale;
    }
    return sum;
  }

  /** Follows the clock: frames come 20 ms apart, and their times may be a little off. */
  #turn(end: number): void {
    const next = this.#heardEnd + WAVEFORM_FRAME;
    if (Math.abs(end - next) > WAVEFORM_FRAME / 2 || Number.isNaN(next)) {
      this.reset();
      this.#heardEnd = end;
      return;
    }
    this.#heardEnd = next;
    this.#newest = (this.#newest + this.#lags - 1) % this.#lags;
    this.#missing = Math.min(this.#lags, this.#missing + 1);
  }

  /** Transforms the sent windows that were not yet. One that plays in the future may not have been sent as a whole. */
  #transformMissing(): void {
    let lag = this.#missing - 1;
    do {
      const end = this.#heardEnd - lag * WAVEFORM_FRAME;
      const isWhole = lag >= 0 && (end <= this.#sent.end || end <= this.#nowEnd);
      this.#transform(end, isWhole ? lag : undefined);
      if (!isWhole) break;
      this.#missing = lag;
      lag -= 1;
    } while (lag >= 0);
  }

  /** Transforms the heard window and the sent one that ends at `end`, as one complex window: half the work. */
  #transform(end: number, lag: number | undefined): void {
    this.#sent.copyBefore(end, SENT);
    const isSilent = isInaudible(SENT);
    const heard = this.#heard;
    for (let i = 0; i < POINTS; i++) {
      RE[i] = (heard[i] as number) * (HANN[i] as number);
      IM[i] = isSilent ? 0 : (SENT[i] as number) * (HANN[i] as number);
    }
    transform(RE, IM);
    const slot = (this.#newest + (lag ?? 0)) % this.#lags;
    const sentRe = this.#sentRe[slot] as Float32Array;
    const sentIm = this.#sentIm[slot] as Float32Array;
    for (let k = 0; k < BINS; k++) {
      const bin = FIRST_BIN + k;
      const a = RE[bin] as number;
      const b = IM[bin] as number;
      const c = RE[POINTS - bin] as number;
      const d = IM[POINTS - bin] as number;
      this.#heardRe[k] = (a + c) / 2;
      this.#heardIm[k] = (b - d) / 2;
      if (lag === undefined) continue;
      // What is left of silence by rounding is exactly like the heard sound.
      sentRe[k] = isSilent ? 0 : (b + d) / 2;
      sentIm[k] = isSilent ? 0 : (c - a) / 2;
    }
  }

  #add(): void {
    this.#frames = this.#frames * KEEP + STRIDE;
    const heardRe = this.#heardRe;
    const heardIm = this.#heardIm;
    const heardPower = this.#heardPower;
    for (let k = 0; k < BINS; k++) {
      const re = heardRe[k] as number;
      const im = heardIm[k] as number;
      const power = re * re + im * im;
      heardPower[k] = (heardPower[k] as number) * KEEP + power;
    }
    for (let lag = this.#missing; lag < this.#lags; lag++) {
      const slot = (this.#newest + lag) % this.#lags;
      const sentRe = this.#sentRe[slot] as Float32Array;
      const sentIm = this.#sentIm[slot] as Float32Array;
      const crossRe = this.#crossRe[lag] as Float32Array;
      const crossIm = this.#crossIm[lag] as Float32Array;
      const sentPower = this.#sentPower[lag] as Float32Array;
      for (let k = 0; k < BINS; k++) {
        const a = sentRe[k] as number;
        const b = sentIm[k] as number;
        const c = heardRe[k] as number;
        const d = heardIm[k] as number;
        crossRe[k] = (crossRe[k] as number) * KEEP + c * a + d * b;
        crossIm[k] = (crossIm[k] as number) * KEEP + d * a - c * b;
        sentPower[k] = (sentPower[k] as number) * KEEP + a * a + b * b;
      }
    }
  }
}

function isInaudible(samples: Float64Array): boolean {
  for (const sample of samples) if (Math.abs(sample) >= AUDIBLE) return false;
  return true;
}

function binOf(hz: number): number {
  return Math.max(0, Math.min(BINS, Math.round((hz * POINTS) / WAVEFORM_RATE_HZ) - FIRST_BIN));
}
