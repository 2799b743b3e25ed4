import { FRAME_MS } from "@parley/media/pcm.ts";

/**
 * Judges when agent audio arrives. The gateway sends `leadMs` ahead of playback, so frame k of a run is due k
 * × 20 ms after the first one, minus the lead; lateness is the difference.
 */
export class Playback {
  readonly #leadMs: number;
  #startMs = 0;
  #frames = 0;

  constructor(leadMs: number) {
    this.#leadMs = leadMs;
  }

  get isRunning(): boolean {
    return this.#frames > 0;
  }

  /** Playback time since the run began. */
  heardMs(nowMs: number): number {
    return this.isRunning ? Math.min(nowMs - this.#startMs, this.#frames * FRAME_MS) : 0;
  }

  /** Takes a frame; returns its lateness in ms. */
  push(nowMs: number): number {
    if (!this.isRunning) this.#startMs = nowMs;
    const dueMs = this.#startMs + Math.max(0, this.#frames * FRAME_MS - this.#leadMs);
    this.#frames += 1;
    return Math.max(0, nowMs - dueMs);
  }

  /** The agent stopped or was stopped: the next frame starts a new run. */
  stop(): void {
    this.#frames = 0;
  }
}
