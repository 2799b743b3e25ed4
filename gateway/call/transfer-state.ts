import type { CallCommand } from "@parley/shared/contracts/call-commands.ts";

type Transferring = Extract<CallCommand, { command: "transferring" }>;

/** A transfer as the call sees it: how long an answer may still come, and whether the caller's media is away. */
export class TransferState {
  readonly #now: () => number;
  #untilMs: number | undefined;
  #mediaStops = false;
  #isAway = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isInProgress(): boolean {
    return this.#untilMs !== undefined;
  }

  /** True while the carrier has taken the caller's media away; the media may come back. */
  get isAway(): boolean {
    return this.#isAway;
  }

  begin({ ms, mediaStops }: Pick<Transferring, "ms" | "mediaStops">): void {
    this.#untilMs = this.#now() + ms;
    this.#mediaStops = mediaStops;
  }

  /** Handles the end of the caller's media. Returns true if the carrier took it and nobody hung up. */
  takesMedia(): boolean {
    if (!this.isInProgress || !this.#mediaStops) return false;
    this.#isAway = true;
    return true;
  }

  /** True if nobody reported the outcome of the transfer in time. */
  get isOverdue(): boolean {
    return this.#untilMs !== undefined && this.#now() >= this.#untilMs;
  }

  end(): void {
    this.#untilMs = undefined;
  }

  /** Notes that the caller's media is back. */
  back(): void {
    this.#isAway = false;
  }
}
