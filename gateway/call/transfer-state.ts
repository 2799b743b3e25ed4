import type { CallCommand } from "@parley/shared/contracts/call-commands.ts";

type Transferring = Extract<CallCommand, { command: "transferring" }>;

/** A transfer as the call sees it: until when somebody may still answer, and whether the caller's media is gone. */
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

  /** The carrier took the caller's media away; it may come back. */
  get isAway(): boolean {
    return this.#isAway;
  }

  begin({ ms, mediaStops }: Pick<Transferring, "ms" | "mediaStops">): void {
    this.#untilMs = this.#now() + ms;
    this.#mediaStops = mediaStops;
  }

  /** The caller's media says that it is over: true when it is the carrier who took it, and nobody hung up. */
  takesMedia(): boolean {
    if (!this.isInProgress || !this.#mediaStops) return false;
    this.#isAway = true;
    return true;
  }

  /** Nobody told in time what became of it. */
  get isOverdue(): boolean {
    return this.#untilMs !== undefined && this.#now() >= this.#untilMs;
  }

  end(): void {
    this.#untilMs = undefined;
  }

  /** The caller's media is there again. */
  back(): void {
    this.#isAway = false;
  }
}
