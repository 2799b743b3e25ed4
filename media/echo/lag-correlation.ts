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

/**
 * Correlates the envelope of the heard sound with that of the sent one, for a whole window of lags at once, each band
 * around its own mean. Keeps running sums over the last half second or so, so a bin costs the same however far back
 * they reach.
 */
export class LagCorrelation {
  readonly #lags: number;
  readonly #sent: Float64Array[];
  readonly #sentSquares: Float64Array[];
  readonly #products: Float64Array[];
  readonly #heard = new Float64Array(BANDS);
  readonly #heardSquares = new Float64Array(BANDS);
  #weight = 0;

  constructor(lags: number) {
    this.#lags = lags;
    const zeros = (): Float64Array[] => Array.from({ length: BANDS }, () => new Float64Array(lags));
    this.#sent = zeros();
    this.#sentSquares = zeros();
    this.#products = zeros();
  }

  reset(): void {
    for (const sums of [...this.#sent, ...this.#sentSquares, ...this.#products]) sums.fill(0);
    this.#heard.fill(0);
    this.#heardSquares.fill(0);
    this.#weight = 0;
  }

  /** Takes the next bin: the levels heard per band, and the levels sent at each lag. */
  push(heard: Float64Array, sentByLag: readonly Float64Array[]): void {
    this.#weight = this.#weight * KEEP + 1;
    for (let band = 0; band < BANDS; band++) {
      const y = heard[band] as number;
      this.#heard[band] = (this.#heard[band] as number) * KEEP + y;
      this.#heardSquares[band] = (this.#heardSquares[band] as number) * KEEP + y * y;
      const levels = sentByLag[band] as Float64Array;
      const sums = this.#sent[band] as Float64Array;
      const squares = this.#sentSquares[band] as Float64Array;
      const products = this.#products[band] as Float64Array;
      for (let lag = 0; lag < this.#lags; lag++) {
        const x = levels[lag] as number;
        sums[lag] = (sums[lag] as number) * KEEP + x;
        squares[lag] = (squares[lag] as number) * KEEP + x * x;
        products[lag] = (products[lag] as number) * KEEP + x * y;
      }
    }
  }

  likeliest(): LikeliestLag {
    let index = 0;
    let correlation = 0;
    let heardSpread = 0;
    for (let band = 0; band < BANDS; band++) {
      heardSpread += this.#spread(this.#heardSquares[band] as number, this.#heard[band] as number);
    }
    for (let lag = 0; lag < this.#lags; lag++) {
      let together = 0;
      let sentSpread = 0;
      for (let band = 0; band < BANDS; band++) {
        together += this.#together(band, lag);
        sentSpread += this.#sentSpread(band, lag);
      }
      const scale = sentSpread * heardSpread;
      const found = scale > 0 && together > 0 ? together / Math.sqrt(scale) : 0;
      if (found > correlation) {
        correlation = found;
        index = lag;
      }
    }
    return { index, correlation };
  }

  /** The gain at which a band's sent power comes back at a lag, above the line's `noise`; 0 if nothing comes back. */
  gain(band: number, lag: number, noise: number): number {
    const heard = (this.#heardSquares[band] as number) - this.#weight * magnitudeOf(noise) ** 2;
    const sent = (this.#sentSquares[band] as Float64Array)[lag] as number;
    // Magnitudes are fourth roots of powers.
    return sent > 0 && heard > 0 ? (heard / sent) ** 2 : 0;
  }

  /** The gain at which the sent sound comes back at a lag, over all bands, as power. */
  gainOfAll(lag: number): number {
    let [heard, sent] = [0, 0];
    for (let band = 0; band < BANDS; band++) {
      heard += this.#heardSquares[band] as number;
      sent += (this.#sentSquares[band] as Float64Array)[lag] as number;
    }
    return sent > 0 ? (heard / sent) ** 2 : 0;
  }

  #together(band: number, lag: number): number {
    const products = (this.#products[band] as Float64Array)[lag] as number;
    const sent = (this.#sent[band] as Float64Array)[lag] as number;
    return products - (sent * (this.#heard[band] as number)) / this.#weight;
  }

  #sentSpread(band: number, lag: number): number {
    const squares = (this.#sentSquares[band] as Float64Array)[lag] as number;
    return this.#spread(squares, (this.#sent[band] as Float64Array)[lag] as number);
  }

  #spread(squares: number, sum: number): number {
    const spread = squares - (sum * sum) / this.#weight;
    // Anything less is the rounding residue of two equal values.
    return spread > squares * 1e-9 ? spread : 0;
  }
}
