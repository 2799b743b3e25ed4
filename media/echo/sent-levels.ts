import { BANDS, BIN_MS, BINS_A_FRAME } from "./band-levels.ts";
import { magnitudeOf, powerOf } from "./magnitude.ts";

/** Covers the longest delay that is searched, and the window for it; a power of two, for cheap indexes. */
const KEPT_BINS = 512;
const LAST_SLOT = KEPT_BINS - 1;
/** Echoes of anything softer are inaudible: -60 dBFS. */
const AUDIBLE = 1e-6;

/**
 * Levels of the agent's audio by playing time: the last five seconds, with silence where nothing was sent. Kept twice,
 * newest first, so that any stretch of bins, read backwards, is one stretch of memory.
 */
export class SentLevels {
  /** Magnitudes of each bin's bands; see `indexOf`. */
  readonly magnitudes = new Float64Array(2 * KEPT_BINS * BANDS);
  /** The last bin for which there is a place; later ones are silent, and their places hold older bins. */
  #newestBin = 0;
  #lastAudibleBin = Number.NEGATIVE_INFINITY;

  /** Writes the powers of two bins (`BandLevels`) that play from `playAtMs` on. */
  write(playAtMs: number, powers: Float64Array): void {
    const first = Math.round(playAtMs / BIN_MS);
    this.#moveTo(first + BINS_A_FRAME - 1);
    for (let bin = 0; bin < BINS_A_FRAME; bin++) {
      let sum = 0;
      for (let band = 0; band < BANDS; band++) {
        const power = powers[bin * BANDS + band] as number;
        sum += power;
        this.#set(first + bin, band, magnitudeOf(power));
      }
      if (sum > AUDIBLE) this.#lastAudibleBin = first + bin;
    }
  }

  /** The last bin with audible sound. */
  get lastAudibleBin(): number {
    return this.#lastAudibleBin;
  }

  /** Where the bands of bin `last` are in `magnitudes`; those of earlier bins follow. */
  indexOf(last: number): number {
    this.#moveTo(last);
    return slotOf(last) * BANDS;
  }

  /** The loudest power of a band from bin `from` to `to`. */
  loudest(band: number, from: number, to: number): number {
    this.#moveTo(to);
    let most = 0;
    for (let bin = from; bin <= to; bin++) {
      const magnitude = this.magnitudes[slotOf(bin) * BANDS + band] as number;
      if (magnitude > most) most = magnitude;
    }
    return powerOf(most);
  }

  /** Silences the places of the bins up to `bin`, which held bins of five seconds before. */
  #moveTo(bin: number): void {
    if (bin <= this.#newestBin) return;
    if (bin - this.#newestBin >= KEPT_BINS) this.magnitudes.fill(0);
    else
      for (let next = this.#newestBin + 1; next <= bin; next++)
        for (let band = 0; band < BANDS; band++) this.#set(next, band, 0);
    this.#newestBin = bin;
  }

  #set(bin: number, band: number, magnitude: number): void {
    const index = slotOf(bin) * BANDS + band;
    this.magnitudes[index] = magnitude;
    this.magnitudes[index + KEPT_BINS * BANDS] = magnitude;
  }
}

function slotOf(bin: number): number {
  return LAST_SLOT - (bin & LAST_SLOT);
}
