import { BANDS, BIN_MS, BINS_A_FRAME } from "./band-levels.ts";
import { magnitudeOf, powerOf } from "./magnitude.ts";

/** Covers the longest delay that is searched, and the window for it. */
const KEPT_BINS = 512;
/** Echoes of anything softer are inaudible: -60 dBFS. */
const AUDIBLE = 1e-6;

/** Levels of the agent's audio by playing time: the last five seconds, with silence where nothing was sent. */
export class SentLevels {
  readonly #magnitudes = Array.from({ length: BANDS }, () => new Float64Array(KEPT_BINS));
  readonly #bins = new Float64Array(KEPT_BINS).fill(-1);
  #lastAudibleBin = Number.NEGATIVE_INFINITY;

  /** Writes the powers of two bins (`BandLevels`) that play from `playAtMs` on. */
  write(playAtMs: number, powers: Float64Array): void {
    const first = Math.round(playAtMs / BIN_MS);
    for (let bin = 0; bin < BINS_A_FRAME; bin++) {
      const slot = slotOf(first + bin);
      this.#bins[slot] = first + bin;
      let sum = 0;
      for (let band = 0; band < BANDS; band++) {
        const power = powers[bin * BANDS + band] as number;
        sum += power;
        (this.#magnitudes[band] as Float64Array)[slot] = magnitudeOf(power);
      }
      if (sum > AUDIBLE) this.#lastAudibleBin = first + bin;
    }
  }

  /** The last bin with audible sound. */
  get lastAudibleBin(): number {
    return this.#lastAudibleBin;
  }

  /** Copies the magnitudes of a band into `into`, from bin `last` backwards. */
  copyBackwards(band: number, last: number, into: Float64Array): void {
    const magnitudes = this.#magnitudes[band] as Float64Array;
    for (let i = 0; i < into.length; i++) {
      const slot = slotOf(last - i);
      into[i] = this.#bins[slot] === last - i ? (magnitudes[slot] as number) : 0;
    }
  }

  /** The loudest power of a band from bin `from` to `to`. */
  loudest(band: number, from: number, to: number): number {
    const magnitudes = this.#magnitudes[band] as Float64Array;
    let most = 0;
    for (let bin = from; bin <= to; bin++) {
      const slot = slotOf(bin);
      if (this.#bins[slot] === bin) most = Math.max(most, magnitudes[slot] as number);
    }
    return powerOf(most);
  }
}

function slotOf(bin: number): number {
  return ((bin % KEPT_BINS) + KEPT_BINS) % KEPT_BINS;
}
