import type { TurnMetrics } from "@parley/shared/contracts/call-socket.ts";

type Instant =
  | "endOfVoice"
  | "decided"
  | "asked"
  | "firstToken"
  | "answered"
  | "voiceAsked"
  | "voiceHeard"
  | "firstFrame";

/**
 * The instants of one answered turn on the call's monotonic clock. Every delay the caller notices is counted from one
 * anchor, the end of the voice; a speculative step may precede the decision. The parts add up to the response, less
 * what a speculative request took before the turn was decided.
 */
export class TurnTiming {
  readonly #at = new Map<Instant, number>();

  /** Notes an instant; only the first note counts. */
  note(instant: Instant, atMs: number): void {
    if (!this.#at.has(instant)) this.#at.set(instant, atMs);
  }

  at(instant: Instant): number | undefined {
    return this.#at.get(instant);
  }

  /** The turn's latencies, once its first audio was sent. */
  metrics(): TurnMetrics {
    return {
      endOfTurnMs: this.#between("endOfVoice", "decided"),
      brainRequestMs: this.#between("decided", "asked"),
      brainFirstTokenMs: this.#between("asked", "firstToken"),
      firstClauseMs: this.#between(this.#later("decided", "firstToken"), "voiceAsked"),
      ttsFirstByteMs: this.#between("voiceAsked", "voiceHeard"),
      responseMs: this.#between("endOfVoice", "firstFrame"),
    };
  }

  /** The later of two instants that both occurred; `b` if either did not. */
  #later(a: Instant, b: Instant): Instant {
    const [aMs, bMs] = [this.#at.get(a), this.#at.get(b)];
    return aMs !== undefined && bMs !== undefined && aMs > bMs ? a : b;
  }

  #between(from: Instant, to: Instant): number {
    const start = this.#at.get(from);
    const end = this.#at.get(to);
    if (start === undefined || end === undefined) return 0;
    return Math.max(0, Math.round(end - start));
  }
}
