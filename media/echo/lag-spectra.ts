import { CrossSpectrum, type Spectrum } from "./cross-spectrum.ts";
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
  readonly #sentSpectra: readonly Spectrum[];
  #newest = 0;
  /** How many of the newest sent spectra were not computed, because nothing was heard. */
  #missing: number;
  readonly #cross: readonly CrossSpectrum[];
  readonly #heardPower = new Float32Array(BINS);
  readonly #heardSpectrum: Spectrum = newSpectrum();
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
    this.#sentSpectra = Array.from({ length: lags }, newSpectrum);
    this.#cross = Array.from({ length: lags }, () => new CrossSpectrum(BINS));
  }

  get lags(): number {
    return this.#lags;
  }

  /** How many audible frames of 20 ms are remembered; at most 20, because they fade. */
  get frames(): number {
    return this.#frames;
  }

  reset(): void {
    for (const cross of this.#cross) cross.reset();
    this.#heardPower.fill(0);
    this.#heard.fill(0);
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
    this.#turn(waveformAt(endMs + leadMs));
    this.#heard.copyWithin(0, WAVEFORM_FRAME);
    for (let i = 0; i < WAVEFORM_FRAME; i++) {
      this.#heard[POINTS - WAVEFORM_FRAME + i] = decimated(frame, i);
    }
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
      const sum = this.#crossAt(lag).coherence(this.#heardPower);
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
    RE.fill(0);
    IM.fill(0);
    this.#crossAt(lag).whiten(this.#heardPower, RE, IM);
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

  /** The share of the last frame that is the sent waveform, as it comes back at a lag; see `CrossSpectrum`. */
  share(lag: number): number {
    return this.shareBy(this.#crossAt(lag), lag);
  }

  /** The same by what was learned of that lag before. */
  shareBy(cross: CrossSpectrum, lag: number): number {
    return cross.share(this.#heardSpectrum, this.#sentAt(lag));
  }

  /** Has `cross` learn the last frame. */
  teach(cross: CrossSpectrum, lag: number, keep: number): void {
    cross.add(this.#heardSpectrum, this.#sentAt(lag), keep);
  }

  /** The gain at which the sent waveform comes back at a lag in a range of frequencies, as power. */
  gain(lag: number, fromHz: number, toHz: number): number {
    return this.#crossAt(lag).gain(binOf(fromHz), binOf(toHz));
  }

  #crossAt(lag: number): CrossSpectrum {
    return this.#cross[lag] as CrossSpectrum;
  }

  #sentAt(lag: number): Spectrum {
    return this.#sentSpectra[(this.#newest + lag) % this.#lags] as Spectrum;
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
    const { re: sentRe, im: sentIm } = this.#sentAt(lag ?? 0);
    const { re: heardRe, im: heardIm } = this.#heardSpectrum;
    for (let k = 0; k < BINS; k++) {
      const bin = FIRST_BIN + k;
      const a = RE[bin] as number;
      const b = IM[bin] as number;
      const c = RE[POINTS - bin] as number;
      const d = IM[POINTS - bin] as number;
      heardRe[k] = (a + c) / 2;
      heardIm[k] = (b - d) / 2;
      if (lag === undefined) continue;
      // What is left of silence by rounding is exactly like the heard sound.
      sentRe[k] = isSilent ? 0 : (b + d) / 2;
      sentIm[k] = isSilent ? 0 : (c - a) / 2;
    }
  }

  #add(): void {
    this.#frames = this.#frames * KEEP + STRIDE;
    const { re, im } = this.#heardSpectrum;
    const heardPower = this.#heardPower;
    for (let k = 0; k < BINS; k++) {
      const a = re[k] as number;
      const b = im[k] as number;
      heardPower[k] = (heardPower[k] as number) * KEEP + a * a + b * b;
    }
    for (let lag = this.#missing; lag < this.#lags; lag++) this.teach(this.#crossAt(lag), lag, KEEP);
  }
}

export function newCrossSpectrum(): CrossSpectrum {
  return new CrossSpectrum(BINS);
}

function newSpectrum(): Spectrum {
  return { re: new Float32Array(BINS), im: new Float32Array(BINS) };
}

function isInaudible(samples: Float64Array): boolean {
  for (const sample of samples) if (Math.abs(sample) >= AUDIBLE) return false;
  return true;
}

function binOf(hz: number): number {
  return Math.max(0, Math.min(BINS, Math.round((hz * POINTS) / WAVEFORM_RATE_HZ) - FIRST_BIN));
}
