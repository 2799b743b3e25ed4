import type { CallEvent } from "@parley/shared/contracts/call-events.ts";

/** Three batches: subscriptions that keep up are no further behind. */
const MAX_KEPT = 600;

/** Events that this process has just recorded, by their position in the feed, so that it need not read them again. */
export class RecentEvents {
  readonly #byPosition = new Map<number, CallEvent>();

  /** Adds events once they are committed; `last` is the position of the last one. */
  add(events: readonly CallEvent[], last: number): void {
    const first = last - events.length + 1;
    for (const [i, event] of events.entries()) this.#byPosition.set(first + i, event);
    for (const position of this.#byPosition.keys()) {
      if (this.#byPosition.size <= MAX_KEPT) return;
      this.#byPosition.delete(position);
    }
  }

  /** Those behind a position, as they are now. */
  after(position: number): ReadonlyMap<number, CallEvent> {
    return new Map([...this.#byPosition].filter(([at]) => at > position));
  }

  /** Nothing that people said stays for long. */
  clear(): void {
    this.#byPosition.clear();
  }
}
