import type { DtmfDigit } from "@parley/shared/contracts/call-socket.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { COLUMN_HZ, keyAt, ROW_HZ } from "./keypad.ts";

/** 12.75 ms, the classic 102 samples at 8 kHz: short enough for a 40 ms tone, long enough to part two rows. */
const BLOCK_SAMPLES = 204;
/** Blocks overlap by half, so that a tone is found wherever it begins. */
const HOP_SAMPLES = BLOCK_SAMPLES / 2;
/** Hops in a row with one key before it counts: surely so after 40 ms, never before 24 ms (ITU-T Q.24). */
const MIN_TONE_HOPS = 4;
/** Hops without the key before the same key counts again, about 20 ms. */
const MIN_GAP_HOPS = 3;
/** Mean power below which nothing is looked for: -40 dBFS. */
const MIN_MEAN_SQUARE = 327 ** 2;
/**
 * Share of a block's energy both tones together must hold. Takes tones 1.5 % off and noise at 10 dB,
 * while tones 3.5 % off and speech, which spreads over its harmonics, stay below.
 */
const MIN_TONE_SHARE = 0.7;
/** How much stronger than the other each tone may be, as power: row 8 dB, column 4 dB (ITU-T Q.24). */
const MAX_ROW_OVER_COLUMN = 10 ** 0.8;
const MAX_COLUMN_OVER_ROW = 10 ** 0.4;
/** The best tone of a group over every other one of it, as power: 6 dB. */
const MIN_GROUP_LEAD = 10 ** 0.6;

/** Finds telephone keys in a caller's audio, one event a press. Feed it frames of any length at 16 kHz. */
export class DtmfDetector {
  readonly #rows = Float64Array.from(ROW_HZ, goertzelCoefficient);
  readonly #columns = Float64Array.from(COLUMN_HZ, goertzelCoefficient);
  readonly #powers = new Float64Array(ROW_HZ.length);
  readonly #block = new Float64Array(BLOCK_SAMPLES);
  #filled = 0;
  #candidate: DtmfDigit | undefined;
  #candidateHops = 0;
  #pressed: DtmfDigit | undefined;
  #releasedHops = 0;

  /** The key that this frame makes certain, once per press. */
  push(frame: Int16Array): DtmfDigit | undefined {
    let found: DtmfDigit | undefined;
    for (let i = 0; i < frame.length; i++) {
      this.#block[this.#filled++] = frame[i] as number;
      if (this.#filled < BLOCK_SAMPLES) continue;
      found = this.#track(this.#keyInBlock()) ?? found;
      this.#block.copyWithin(0, HOP_SAMPLES);
      this.#filled = BLOCK_SAMPLES - HOP_SAMPLES;
    }
    return found;
  }

  /** Forgets everything, a key held down included. */
  reset(): void {
    this.#filled = 0;
    this.#candidate = undefined;
    this.#candidateHops = 0;
    this.#pressed = undefined;
    this.#releasedHops = 0;
  }

  /** One press is one event, however long the key is held and whatever short drop-outs there are. */
  #track(key: DtmfDigit | undefined): DtmfDigit | undefined {
    this.#candidateHops = key === this.#candidate ? this.#candidateHops + 1 : 1;
    this.#candidate = key;
    this.#releasedHops = key === this.#pressed ? 0 : this.#releasedHops + 1;
    if (this.#releasedHops >= MIN_GAP_HOPS) this.#pressed = undefined;
    if (key === undefined || key === this.#pressed || this.#candidateHops < MIN_TONE_HOPS) return undefined;
    this.#pressed = key;
    this.#releasedHops = 0;
    return key;
  }

  #keyInBlock(): DtmfDigit | undefined {
    let energy = 0;
    for (let i = 0; i < BLOCK_SAMPLES; i++) energy += (this.#block[i] as number) ** 2;
    if (energy < MIN_MEAN_SQUARE * BLOCK_SAMPLES) return undefined;
    const row = this.#strongest(this.#rows);
    if (row < 0) return undefined;
    const rowPower = this.#powers[row] as number;
    const column = this.#strongest(this.#columns);
    if (column < 0) return undefined;
    const columnPower = this.#powers[column] as number;
    if (rowPower > columnPower * MAX_ROW_OVER_COLUMN || columnPower > rowPower * MAX_COLUMN_OVER_ROW) {
      return undefined;
    }
    // A sine of amplitude a has power (a·N/2)² here and energy a²·N/2 in the block.
    const toneEnergy = ((rowPower + columnPower) * 2) / BLOCK_SAMPLES;
    return toneEnergy < energy * MIN_TONE_SHARE ? undefined : keyAt(row, column);
  }

  /** Index of the group's strongest tone, -1 when it does not stand out; leaves the powers in `#powers`. */
  #strongest(coefficients: Float64Array): number {
    let best = 0;
    for (let i = 0; i < coefficients.length; i++) {
      this.#powers[i] = goertzelPower(coefficients[i] as number, this.#block);
      if ((this.#powers[i] as number) > (this.#powers[best] as number)) best = i;
    }
    for (let i = 0; i < coefficients.length; i++) {
      const isClose = (this.#powers[i] as number) * MIN_GROUP_LEAD > (this.#powers[best] as number);
      if (i !== best && isClose) return -1;
    }
    return best;
  }
}

function goertzelCoefficient(hz: number): number {
  return 2 * Math.cos((2 * Math.PI * hz) / PCM_RATE_HZ);
}

function goertzelPower(coefficient: number, block: Float64Array): number {
  let previous = 0;
  let beforePrevious = 0;
  for (let i = 0; i < block.length; i++) {
    const current = (block[i] as number) + coefficient * previous - beforePrevious;
    beforePrevious = previous;
    previous = current;
  }
  return previous ** 2 + beforePrevious ** 2 - coefficient * previous * beforePrevious;
}
