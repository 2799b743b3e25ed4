import { AppError } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { OrgShare } from "@parley/shared/org-share.ts";

const MAX_TURNS = 1_000;
const RETRY_AFTER_SECS = 5;

/** The replies this process is generating: bounded in number, and awaited at shutdown. */
export class TurnsInFlight {
  readonly #turns = new Set<Promise<unknown>>();
  readonly #share = new OrgShare(MAX_TURNS);
  readonly #gauge: Metrics["chatTurnsUnderWay"];

  constructor(gauge: Metrics["chatTurnsUnderWay"]) {
    this.#gauge = gauge;
  }

  /** Throws `AppError` unavailable when the organization is at its limit. */
  assertRoom(orgId: string): void {
    if (this.#share.hasRoom(orgId)) return;
    const message = "This server is generating as many replies as it can. Try again shortly.";
    throw new AppError("unavailable", message, { retryAfterSecs: RETRY_AFTER_SECS });
  }

  async track<T>(orgId: string, turn: Promise<T>): Promise<T> {
    this.#turns.add(turn);
    this.#share.take(orgId);
    this.#gauge.set(this.#turns.size);
    try {
      return await turn;
    } finally {
      this.#turns.delete(turn);
      this.#share.giveBack(orgId);
      this.#gauge.set(this.#turns.size);
    }
  }

  /** Resolves when all started replies are over; their time is bounded. */
  async finished(): Promise<void> {
    await Promise.allSettled(this.#turns);
  }
}
