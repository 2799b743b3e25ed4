import { BANDS } from "./band-levels.ts";
import { magnitudeOf } from "./magnitude.ts";

/** Time constant with which observations fade, in bins of 10 ms. */
const MEMORY_BINS = 60;
const KEEP = Math.exp(-1 / MEMORY_BINS);

/** The delay at which the heard sound best matches the sent one. */
export interface LikeliestLag {
  /** Index in the window of lags that was pushed. */
  readonly index: number;
  /** Normalized correlation of the envelopes over all bands; 1 means identical. */
  readonly correlation: number;
}

/** Where a band's sums of one lag are: of the sent levels, of their squares, and of their products with the heard ones. */
const SENT = 0;
const SQUARES = 1;
const PRODUCTS = 2;
const SUMS_A_BAND = 3;
const SUMS_A_LAG = BANDS * SUMS_A_BAND;
/** Anything less of the squares is the rounding residue of two equal values. */
const RESIDUE = 1e-9;

/**
 * Correlates the envelope of the heard sound with that of the sent one, for a whole window of lags at once, each band
 * around its own mean. Keeps running sums over the last half second or so, so a bin costs the same however far back
 * they reach. All sums are in one array, lag by lag, because this is the arithmetic that a talking agent's call does most.
 */
export class LagCorrelation {
  readonly #lags: number;
  readonly #sums: Float64Array;
  readonly #heard = new Float64Array(BANDS);
  readonly #heardSquares = new Float64Array(BANDS);
  #weight = 0;

  constructor(lags: number) {
    this.#lags = lags;
    this.#sums = new Float64Array(lags * SUMS_A_LAG);
  }

  reset(): void {
    this.#sums.fill(0);
    this.#heard.fill(0);
    this.#heardSquares.fill(0);
    this.#weight = 0;
  }

  /** Takes the next bin: the levels heard per band, and those sent at each lag, lag by lag in `sent` from `from` on. */
  push(heard: Float64Array, sent: Float64Array, from: number): void {
    this.#weight = this.#weight * KEEP + 1;
    for (let band = 0; band < BANDS; band++) {
      const y = heard[band] as number;
      this.#heard[band] = (this.#heard[band] as number) * KEEP + y;
      this.#heardSquares[band] = (this.#heardSquares[band] as number) * KEEP + y * y;
    }
    const sums = this.#sums;
    const low = heard[0] as number;
    const middle = heard[1] as number;
    const high = heard[2] as number;
    for (let at = 0, i = from; at < sums.length; at += SUMS_A_LAG, i += BANDS) {
      addTo(sums, at, sent[i] as number, low);
      addTo(sums, at + SUMS_A_BAND, sent[i + 1] as number, middle);
      addTo(sums, at + 2 * SUMS_A_BAND, sent[i + 2] as number, high);
    }
  }

  likeliest(): LikeliestLag {
    const sums = this.#sums;
    const weight = this.#weight;
    let heardSpread = 0;
    for (let band = 0; band < BANDS; band++) {
      heardSpread += spreadOf(this.#heardSquares[band] as number, this.#heard[band] as number, weight);
    }
    let index = 0;
    /** Squared and over the spread of what was heard, to spare each lag a root. */
    let most = 0;
    for (let lag = 0; lag < this.#lags; lag++) {
      let together = 0;
      let sentSpread = 0;
      for (let band = 0; band < BANDS; band++) {
        const at = lag * SUMS_A_LAG + band * SUMS_A_BAND;
        const sent = sums[at + SENT] as number;
        together += (sums[at + PRODUCTS] as number) - (sent * (this.#heard[band] as number)) / weight;
        sentSpread += spreadOf(sums[at + SQUARES] as number, sent, weight);
      }
      if (together <= 0 || sentSpread <= 0) continue;
      const found = (together * together) / sentSpread;
      if (found <= most) continue;
      most = found;
      index = lag;
    }
    return heardSpread > 0
      ? { index, correlation: Math.sqrt(most / heardSpread) }
      : { index: 0, correlation: 0 };
  }

  /** The gain at which a band's sent power comes back at a lag, above the line's `noise`; 0 if nothing comes back. */
  gain(band: number, lag: number, noise: number): number {
    const heard = (this.#heardSquares[band] as number) - this.#weight * magnitudeOf(noise) ** 2;
    const sent = this.#squaresOf(band, lag);
    // Magnitudes are fourth roots of powers.
    return sent > 0 && heard > 0 ? (heard / sent) ** 2 : 0;
  }

  /** The gain at which the sent sound comes back at a lag, over all bands, as power. */
  gainOfAll(lag: number): number {
    let [heard, sent] = [0, 0];
    for (let band = 0; band < BANDS; band++) {
      heard += this.#heardSquares[band] as number;
      sent += this.#squaresOf(band, lag);
    }
    return sent > 0 ? (heard / sent) ** 2 : 0;
  }

  #squaresOf(band: number, lag: number): number {
    return this.#sums[lag * SUMS_A_LAG + band * SUMS_A_BAND + SQUARES] as number;
  }
}

/** Adds a bin in which `x` was sent and `y` heard to a band's sums of one lag. */
function addTo(sums: Float64Array, at: number, x: number, y: number): void {
  sums[at + SENT] = (sums[at + SENT] as number) * KEEP + x;
  sums[at + SQUARES] = (sums[at + SQUARES] as number) * KEEP + x * x;
  sums[at + PRODUCTS] = (sums[at + PRODUCTS] as number) * KEEP + x * y;
}

function spreadOf(squares: number, sum: number, weight: number): number {
  const spread = squares - (sum * sum) / weight;
  return spread > squares * RESIDUE ? spread : 0;
}
