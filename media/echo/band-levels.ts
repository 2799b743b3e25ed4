import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";

/** Two one-pole filters split a voice into the low, middle and high parts of a telephone's band. */
export const BANDS = 3;
/** An envelope has one value per 10 ms, which is also the resolution of delays. */
export const BIN_MS = 10;
export const BINS_A_FRAME = 2;

/** Rate after averaging pairs of samples: half the work, and telephones carry nothing above. */
const RATE_HZ = PCM_RATE_HZ / 2;
const PAIRS_A_BIN = FRAME_SAMPLES / 2 / BINS_A_FRAME;
const LOW_HZ = 600;
const MIDDLE_HZ = 1_600;
const LOW = smoothing(LOW_HZ);
const MIDDLE = smoothing(MIDDLE_HZ);
const FULL_SCALE = 32_768 * 32_768 * 4;

/** The power of a stream in three bands per 10 ms, as a share of full scale. Takes frames of 20 ms at 16 kHz. */
export class BandLevels {
  readonly #powers = new Float64Array(BANDS * BINS_A_FRAME);
  #low = 0;
  #middle = 0;

  /** Powers of the frame's first bin, low to high, then of its second bin. The next call reuses the array. */
  push(frame: Int16Array): Float64Array {
    let low = this.#low;
    let middle = this.#middle;
    for (let bin = 0, at = 0; bin < BINS_A_FRAME; bin++) {
      let lowPower = 0;
      let middlePower = 0;
      let highPower = 0;
      for (const end = at + PAIRS_A_BIN * 2; at < end; at += 2) {
        const sample = (frame[at] as number) + (frame[at + 1] as number);
        low += LOW * (sample - low);
        middle += MIDDLE * (sample - middle);
        const between = middle - low;
        const high = sample - middle;
        lowPower += low * low;
        middlePower += between * between;
        highPower += high * high;
      }
      const scale = PAIRS_A_BIN * FULL_SCALE;
      this.#powers[bin * BANDS] = lowPower / scale;
      this.#powers[bin * BANDS + 1] = middlePower / scale;
      this.#powers[bin * BANDS + 2] = highPower / scale;
    }
    this.#low = low;
    this.#middle = middle;
    return this.#powers;
  }
}

function smoothing(hz: number): number {
  return 1 - Math.exp((-2 * Math.PI * hz) / RATE_HZ);
}
