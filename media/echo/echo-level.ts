import { BANDS, BIN_MS } from "./band-levels.ts";

/** What is less than this much over the expected echo, as power, is still the echo: 4 dB. */
const MARGIN = 2.5;
/** The same over the line's noise. */
const NOISE_MARGIN = 3;
/** What is heard is this much louder than what is expected, as power, for a while: somebody talks over the echo. */
const LOUDER = 4;
/** How fast a room falls silent: 1.5 dB a bin, 60 dB in 400 ms. */
const ROOM_DECAY = 10 ** -0.15;
/** Share of a new figure in the echo's level. */
const LEARNING = 0.1;
/** What is heard stays this far below what is expected, as power, for a while: the echo has become softer. */
const SOFTER = 0.25;
const WHILE_BINS = 300 / BIN_MS;
const FADING = 0.95;

/** How loud the agent's own voice comes back, band by band, and what of a sound that explains. */
export class EchoLevel {
  /** Echo return, as power: 0.01 is 20 dB softer than it was sent. */
  readonly #gains = new Float64Array(BANDS);
  readonly #expected = new Float64Array(BANDS);
  #heardOfLate = 0;
  #expectedOfLate = 0;

  /** A new figure of the echo's gain in a band; `isNew`: of another echo than before. */
  learn(band: number, gain: number, isNew: boolean): void {
    const before = this.#gains[band] as number;
    this.#gains[band] = isNew || before === 0 ? gain : before + (gain - before) * LEARNING;
  }

  /** The share of the power heard that is echo, when `sent` is, band by band, what may be heard now as it was sent. */
  explain({ heard, noise }: { heard: Float64Array; noise: Float64Array }, sent: Float64Array): number {
    let total = 0;
    let unexplained = 0;
    let expectedSum = 0;
    for (let band = 0; band < BANDS; band++) {
      const loudest = sent[band] as number;
      const now = loudest * (this.#gains[band] as number);
      const expected = Math.max(now, (this.#expected[band] as number) * ROOM_DECAY);
      this.#expected[band] = expected;
      const power = heard[band] as number;
      total += power;
      expectedSum += expected;
      unexplained += Math.max(0, power - expected * MARGIN - (noise[band] as number) * NOISE_MARGIN);
    }
    this.#fade(total, expectedSum);
    return total > 0 ? 1 - unexplained / total : 1;
  }

  /** The echo is hidden under a louder sound: nothing can be told of it. */
  get isHidden(): boolean {
    return this.#heardOfLate > this.#expectedOfLate * LOUDER;
  }

  /** Who takes up a handset is not to be judged by the loudspeaker's echo. */
  #fade(heard: number, expected: number): void {
    const keep = 1 - 1 / WHILE_BINS;
    this.#heardOfLate = this.#heardOfLate * keep + heard;
    this.#expectedOfLate = this.#expectedOfLate * keep + expected;
    if (this.#heardOfLate >= this.#expectedOfLate * SOFTER) return;
    for (let band = 0; band < BANDS; band++) this.#gains[band] = (this.#gains[band] as number) * FADING;
  }
}
