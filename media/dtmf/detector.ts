import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import { FRAME_SAMPLES, PCM_RATE_HZ } from "../pcm.ts";
import { COLUMN_HZ, keyAt, ROW_HZ } from "./keypad.ts";

/** Rate after averaging pairs of samples: no key's tone exceeds 1,633 Hz, and half the samples are half the work. */
const RATE_HZ = PCM_RATE_HZ / 2;
/** 12.75 ms, the classic 102 samples at 8 kHz: short enough for a 40 ms tone, long enough to separate two rows. */
const BLOCK_SAMPLES = 102;
/** Blocks overlap by half, so that a tone is found wherever it begins. */
const HOP_SAMPLES = BLOCK_SAMPLES / 2;
/** Hops in a row with one key before the key counts: certain after 40 ms, never before 24 ms (ITU-T Q.24). */
const MIN_TONE_HOPS = 4;
/** Hops without the key before the same key counts again, about 20 ms. */
const MIN_GAP_HOPS = 3;
/** A frame below this share of a block's required energy holds no part of a tone; half would be enough. */
const QUIET_SHARE = 0.4;
/** Every fourth sample is enough to gauge a frame's level: key tones stay below half of 4 kHz. */
const LOUDNESS_STRIDE = 4;
/** Mean power below which no tone is searched: -40 dBFS. */
const MIN_MEAN_SQUARE = 327 ** 2;
/**
 * Share of a block's energy that both tones must hold together. Accepts tones 1.5 % off and noise at 10 dB, while tones
 * 3.5 % off and speech, which spreads over its harmonics, stay below.
 */
const MIN_TONE_SHARE = 0.7;
/**
 * How much stronger each tone may be than the other, as power. ITU-T Q.24 requires 8 dB for the row and 4 dB for the
 * column; a short block shows the ratio up to 2 dB off, because each tone leaks into the other's bin.
 */
const MAX_ROW_OVER_COLUMN = 10 ** 1.05;
const MAX_COLUMN_OVER_ROW = 10 ** 0.6;
/** Lead of a group's best tone over its other tones, as power: 6 dB. */
const MIN_GROUP_LEAD = 10 ** 0.6;

/** Detects telephone keys in a caller's audio, one event per press. Takes frames of 20 ms at 16 kHz. */
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

  /** Returns the key that this frame confirms, once per press. `frame` is 20 ms long. */
  push(frame: Int16Array): DtmfDigit | undefined {
    if (frame.length !== FRAME_SAMPLES) {
      throw new RangeError(`a frame has ${FRAME_SAMPLES} samples, not ${frame.length}`);
    }
    if (isQuiet(frame)) {
      this.#skip(frame.length / 2);
      return undefined;
    }
    let found: DtmfDigit | undefined;
    const block = this.#block;
    for (let at = 0; at < frame.length; ) {
      const end = Math.min(frame.length, at + 2 * (BLOCK_SAMPLES - this.#filled));
      let filled = this.#filled;
      for (; at < end; at += 2) block[filled++] = ((frame[at] as number) + (frame[at + 1] as number)) / 2;
      this.#filled = filled;
      if (filled < BLOCK_SAMPLES) break;
      found = this.#track(this.#keyInBlock()) ?? found;
      block.copyWithin(0, HOP_SAMPLES);
      this.#filled = BLOCK_SAMPLES - HOP_SAMPLES;
    }
    return found;
  }

  /** Forgets everything, including a key held down. */
  reset(): void {
    this.#filled = 0;
    this.#candidate = undefined;
    this.#candidateHops = 0;
    this.#pressed = undefined;
    this.#releasedHops = 0;
  }

  /** Counts the hops of a quiet stretch as hops without a key. */
  #skip(samples: number): void {
    for (let left = this.#filled + samples; left >= BLOCK_SAMPLES; left -= HOP_SAMPLES)
      this.#track(undefined);
    this.#filled = 0;
  }

  /** Reports one event per press, however long the key is held and despite short dropouts. */
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
    const energy = energyOf(this.#block);
    if (energy < MIN_MEAN_SQUARE * BLOCK_SAMPLES) return undefined;
    const row = this.#strongest(this.#rows);
    if (row < 0) return undefined;
    const rowPower = this.#powers[row] as number;
    // Saves the second half of the work for most speech: a row that carries too little energy cannot be a key's.
    if (toneEnergyOf(rowPower * (1 + MAX_COLUMN_OVER_ROW)) < energy * MIN_TONE_SHARE) return undefined;
    const column = this.#strongest(this.#columns);
    if (column < 0) return undefined;
    const columnPower = this.#powers[column] as number;
    if (rowPower > columnPower * MAX_ROW_OVER_COLUMN || columnPower > rowPower * MAX_COLUMN_OVER_ROW) {
      return undefined;
    }
    return toneEnergyOf(rowPower + columnPower) < energy * MIN_TONE_SHARE ? undefined : keyAt(row, column);
  }

  /** Index of the group's strongest tone, -1 if it does not stand out; leaves the powers in `#powers`. */
  #strongest(coefficients: Float64Array): number {
    goertzelPowers(coefficients, this.#block, this.#powers);
    let best = 0;
    for (let i = 0; i < coefficients.length; i++) {
      if ((this.#powers[i] as number) > (this.#powers[best] as number)) best = i;
    }
    for (let i = 0; i < coefficients.length; i++) {
      const isClose = (this.#powers[i] as number) * MIN_GROUP_LEAD > (this.#powers[best] as number);
      if (i !== best && isClose) return -1;
    }
    return best;
  }
}

function isQuiet(frame: Int16Array): boolean {
  let energy = 0;
  for (let i = 0; i < frame.length; i += LOUDNESS_STRIDE) {
    const sample = frame[i] as number;
    energy += sample * sample;
  }
  return energy * LOUDNESS_STRIDE < QUIET_SHARE * MIN_MEAN_SQUARE * BLOCK_SAMPLES * 2;
}

function energyOf(block: Float64Array): number {
  let energy = 0;
  for (let i = 0; i < block.length; i++) {
    const sample = block[i] as number;
    energy += sample * sample;
  }
  return energy;
}

/** A sine of amplitude a has Goertzel power (a·N/2)² and energy a²·N/2 in the block. */
function toneEnergyOf(power: number): number {
  return (power * 2) / BLOCK_SAMPLES;
}

function goertzelCoefficient(hz: number): number {
  return 2 * Math.cos((2 * Math.PI * hz) / RATE_HZ);
}

/** Four tones in one pass: each filter step waits for the previous one, so four side by side cost as much as one. */
function goertzelPowers(coefficients: Float64Array, block: Float64Array, powers: Float64Array): void {
  const c0 = coefficients[0] as number;
  const c1 = coefficients[1] as number;
  const c2 = coefficients[2] as number;
  const c3 = coefficients[3] as number;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let beforeA = 0;
  let beforeB = 0;
  let beforeC = 0;
  let beforeD = 0;
  for (let i = 0; i < block.length; i++) {
    const sample = block[i] as number;
    const nextA = sample + c0 * a - beforeA;
    const nextB = sample + c1 * b - beforeB;
    const nextC = sample + c2 * c - beforeC;
    const nextD = sample + c3 * d - beforeD;
    beforeA = a;
    beforeB = b;
    beforeC = c;
    beforeD = d;
    a = nextA;
    b = nextB;
    c = nextC;
    d = nextD;
  }
  powers[0] = powerOf(c0, a, beforeA);
  powers[1] = powerOf(c1, b, beforeB);
  powers[2] = powerOf(c2, c, beforeC);
  powers[3] = powerOf(c3, d, beforeD);
}

function powerOf(coefficient: number, last: number, before: number): number {
  return last ** 2 + before ** 2 - coefficient * last * before;
}
