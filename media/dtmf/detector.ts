import type { DtmfDigit } from "@parley/shared/contracts/call-socket.ts";
import { PCM_RATE_HZ } from "../pcm.ts";
import { COLUMN_HZ, keyAt, ROW_HZ } from "./keypad.ts";

/** Goertzel block: 12.75 ms, the classic 102 samples at 8 kHz, separates neighbouring rows (73 Hz). */
const BLOCK_SAMPLES = 204;
/** Blocks with the same key before it counts: 38 ms, so a 40 ms tone is heard and a shorter one is not. */
const MIN_TONE_BLOCKS = 3;
/** Blocks without the key before the same key counts again. */
const MIN_GAP_BLOCKS = 2;
/** Mean power below which nothing is looked for: about -40 dBFS. */
const MIN_MEAN_SQUARE = 327 ** 2;
/** Share of a block's energy that both tones together must hold. Speech spreads over its harmonics. */
const MIN_TONE_SHARE = 0.82;
/** Column over row and row over column, as power: 8 dB and 4 dB (ITU-T Q.24 asks for about that). */
const MAX_NORMAL_TWIST = 10 ** 0.8;
const MAX_REVERSE_TWIST = 10 ** 0.8;
/** The best tone of a group over the next best, as power: 8 dB. */
const MIN_GROUP_LEAD = 10 ** 0.8;

/** Finds telephone keys in a caller's audio, one event a press. Feed it frames of any length at 16 kHz. */
export class DtmfDetector {
  readonly #rows = ROW_HZ.map(goertzelCoefficient);
  readonly #columns = COLUMN_HZ.map(goertzelCoefficient);
  readonly #block = new Float64Array(BLOCK_SAMPLES);
  #filled = 0;
  #candidate: DtmfDigit | undefined;
  #candidateBlocks = 0;
  #pressed: DtmfDigit | undefined;
  #silentBlocks = 0;

  /** The key that this frame makes certain, once per press. */
  push(frame: Int16Array): DtmfDigit | undefined {
    let found: DtmfDigit | undefined;
    for (let i = 0; i < frame.length; i++) {
      this.#block[this.#filled++] = frame[i] as number;
      if (this.#filled < BLOCK_SAMPLES) continue;
      this.#filled = 0;
      found = this.#track(this.#keyInBlock()) ?? found;
    }
    return found;
  }

  /** Forgets everything, a key held down included. */
  reset(): void {
    this.#filled = 0;
    this.#candidate = undefined;
    this.#pressed = undefined;
    this.#candidateBlocks = 0;
    this.#silentBlocks = 0;
  }

  #track(key: DtmfDigit | undefined): DtmfDigit | undefined {
    this.#candidateBlocks = key !== undefined && key === this.#candidate ? this.#candidateBlocks + 1 : 1;
    this.#candidate = key;
    this.#silentBlocks = key === this.#pressed ? 0 : this.#silentBlocks + 1;
    if (this.#silentBlocks >= MIN_GAP_BLOCKS) this.#pressed = undefined;
    if (key === undefined || key === this.#pressed || this.#candidateBlocks < MIN_TONE_BLOCKS)
      return undefined;
    this.#pressed = key;
    this.#silentBlocks = 0;
    return key;
  }

  #keyInBlock(): DtmfDigit | undefined {
    let energy = 0;
    for (let i = 0; i < BLOCK_SAMPLES; i++) energy += (this.#block[i] as number) ** 2;
    if (energy < MIN_MEAN_SQUARE * BLOCK_SAMPLES) return undefined;
    const row = strongest(this.#rows, this.#block);
    const column = strongest(this.#columns, this.#block);
    if (row === undefined || column === undefined) return undefined;
    if (column.power > row.power * MAX_NORMAL_TWIST || row.power > column.power * MAX_REVERSE_TWIST)
      return undefined;
    // A sine of amplitude a has power (a·N/2)² here and energy a²·N/2 in the block.
    const toneEnergy = ((row.power + column.power) * 2) / BLOCK_SAMPLES;
    return toneEnergy < energy * MIN_TONE_SHARE ? undefined : keyAt(row.index, column.index);
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

/** The strongest tone of a group, if it stands out from the others. */
function strongest(
  coefficients: readonly number[],
  block: Float64Array,
): { index: number; power: number } | undefined {
  let index = 0;
  let power = 0;
  let runnerUp = 0;
  for (const [i, coefficient] of coefficients.entries()) {
    const candidate = goertzelPower(coefficient, block);
    if (candidate > power) {
      runnerUp = power;
      power = candidate;
      index = i;
    } else if (candidate > runnerUp) {
      runnerUp = candidate;
    }
  }
  return power > runnerUp * MIN_GROUP_LEAD ? { index, power } : undefined;
}
