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
 * The instants of one answered turn on the call's monotonic clock. Every delay of the caller's is counted
 * from one anchor, the end of the voice; a step that was speculative may lie before the decision. The parts add up to the
 * response, less what a speculative request took before the turn was decided.
 */
export class TurnTiming {
  readonly #at = new Map<Instant, number>();

  /** Notes an instant; the first time counts. */
  note(instant: Instant, atMs: number): void {
    if (!this.#at.has(instant)) this.#at.set(instant, atMs);
  }

  at(instant: Instant): number | undefined {
    return this.#at.get(instant);
  }

  /** The turn's latencies once its first audio went out. */
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

  /** The later of two instants that both were; `b` where one of them was not. */
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
