import { BANDS, BIN_MS } from "./band-levels.ts";

/** Sound up to this factor above the expected echo, as power, still counts as the echo: 4 dB. */
const MARGIN = 2.5;
/** Margin above the line's noise. */
const NOISE_MARGIN = 3;
/** Sound louder than expected by this factor, as power, for a while: a person talks over the echo. */
const LOUDER = 4;
/** The same, sooner and less surely: 2 dB. */
const SOMEWHAT_LOUDER = 1.6;
/** How fast a room falls silent: 1.5 dB per bin, 60 dB in 400 ms. */
const ROOM_DECAY = 10 ** -0.15;
/** Weight of a new measurement in the echo's level. */
const LEARNING = 0.1;
/** Sound below this share of the expected power for a while: the echo has become softer. */
const SOFTER = 0.25;
const WHILE_BINS = 300 / BIN_MS;
const FADING = 0.95;

/** How loud the agent's own voice comes back, per band, and how much of a sound that explains. */
export class EchoLevel {
  /** Echo return as power: 0.01 is 20 dB softer than the voice was sent. */
  readonly #gains = new Float64Array(BANDS);
  readonly #expected = new Float64Array(BANDS);
  #heardOfLate = 0;
  #expectedOfLate = 0;

  /** Takes a measurement of the echo's gain in a band; `isNew`: it belongs to a new echo. */
  learn(band: number, gain: number, isNew: boolean): void {
    const before = this.#gains[band] as number;
    this.#gains[band] = isNew || before === 0 ? gain : before + (gain - before) * LEARNING;
  }

  /** The share of the heard power that is echo. `sent`: power of the sent audio that may be heard now, per band. */
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

  /** True if a louder sound hides the echo, so that nothing can be said about it. */
  get isHidden(): boolean {
    return this.#heardOfLate > this.#expectedOfLate * LOUDER;
  }

  /** True if the sound is louder than the echo alone would be. */
  get isLouder(): boolean {
    return this.#heardOfLate > this.#expectedOfLate * SOMEWHAT_LOUDER;
  }

  /** A caller who picks up a handset must not be judged by the loudspeaker's echo. */
  #fade(heard: number, expected: number): void {
    const keep = 1 - 1 / WHILE_BINS;
    this.#heardOfLate = this.#heardOfLate * keep + heard;
    this.#expectedOfLate = this.#expectedOfLate * keep + expected;
    if (this.#heardOfLate >= this.#expectedOfLate * SOFTER) return;
    for (let band = 0; band < BANDS; band++) this.#gains[band] = (this.#gains[band] as number) * FADING;
  }
}
