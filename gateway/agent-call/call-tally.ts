import type { TurnMetrics } from "@parley/shared/contracts/call-socket.ts";

/** How many turns keep their response time; in a longer call, the median covers the first ones. */
const MAX_KEPT = 2_000;

/** The figures for the log line that ends a call. */
export class CallTally {
  #turns = 0;
  #responsesMs: number[] = [];
  #deadAirMs = 0;
  #drops = 0;
  #resumes = 0;

  /** `deadAirMs`: the longest stretch of the response in which the caller heard nothing. */
  answered({ responseMs, deadAirMs = 0 }: Pick<TurnMetrics, "responseMs"> & { deadAirMs?: number }): void {
    this.#turns += 1;
    this.#deadAirMs = Math.max(this.#deadAirMs, deadAirMs);
    if (this.#responsesMs.length < MAX_KEPT) this.#responsesMs.push(responseMs);
  }

  dropped(): void {
    this.#drops += 1;
  }

  resumed(): void {
    this.#resumes += 1;
  }

  /** `callerVanished`: the last socket broke and nobody came back; the record calls this a hang-up. */
  fields(): Record<string, number | boolean> {
    const sorted = this.#responsesMs.toSorted((a, b) => a - b);
    const median = sorted[Math.floor((sorted.length - 1) / 2)];
    return {
      turns: this.#turns,
      ...(median === undefined ? {} : { responseP50Ms: median, deadAirMaxMs: this.#deadAirMs }),
      drops: this.#drops,
      resumes: this.#resumes,
      callerVanished: this.#drops > this.#resumes,
    };
  }
}
