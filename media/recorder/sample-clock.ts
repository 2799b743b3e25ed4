import { PCM_RATE_HZ } from "../pcm.ts";

/** Where arriving audio belongs. */
export interface Placement {
  /** Position on the call's sample clock of the first sample that is kept. */
  at: number;
  /** Samples to drop from the front of what arrived: it is ahead of the clock. */
  trim: number;
}

export interface SampleClockOptions {
  /** Monotonic time of sample 0. */
  readonly startMs: number;
  /** How far arrival may be off the clock, either way, before audio is moved. */
  readonly toleranceMs?: number;
}

const DEFAULT_TOLERANCE_MS = 200;

/**
 * Puts audio that arrives in fits and starts onto the call's sample clock. Without it a recording that
 * appends what arrives drifts: gaps vanish and bursts add up.
 */
export class SampleClock {
  readonly #startMs: number;
  readonly #toleranceSamples: number;
  readonly #placement: Placement = { at: 0, trim: 0 };
  #next: number | undefined;

  constructor(options: SampleClockOptions) {
    this.#startMs = options.startMs;
    this.#toleranceSamples = toSamples(options.toleranceMs ?? DEFAULT_TOLERANCE_MS);
  }

  /** The clock's position at `nowMs`. */
  positionAt(nowMs: number): number {
    return toSamples(nowMs - this.#startMs);
  }

  /**
   * Places `samples` that arrived at `nowMs` (so they were captured up to then): right behind what came
   * before while that is within the tolerance, at the clock's own position after a gap, with the surplus
   * trimmed when they run ahead. Positions never overlap. The result is reused by the next call.
   */
  place(nowMs: number, samples: number): Placement {
    const placement = this.#placement;
    const onTime = Math.max(0, this.positionAt(nowMs) - samples);
    const next = this.#next ?? onTime;
    const aheadSamples = next - onTime;
    placement.at = aheadSamples < -this.#toleranceSamples ? onTime : next;
    placement.trim = Math.min(samples, Math.max(0, aheadSamples - this.#toleranceSamples));
    this.#next = placement.at + samples - placement.trim;
    return placement;
  }
}

function toSamples(ms: number): number {
  return Math.round((ms * PCM_RATE_HZ) / 1000);
}
