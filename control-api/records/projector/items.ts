import type { StreamEntry } from "@parley/shared/bus/bus.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";

/** An event on its way from the stream to the database. */
export interface Item {
  readonly entry: StreamEntry;
  readonly event: CallEvent;
  /** How often the database refused the event. */
  readonly tries: number;
  /** For an end: how often an earlier event was found missing. */
  readonly looks: number;
}

/** Items waiting for another try. They stay unacknowledged meanwhile, so that a kill loses none. */
export class HeldItems {
  readonly #held = new Map<string, { readonly item: Item; readonly dueMs: number }>();

  hold(item: Item, dueMs: number): void {
    this.#held.set(item.entry.entryId, { item, dueMs });
  }

  drop(entryId: string): void {
    this.#held.delete(entryId);
  }

  get size(): number {
    return this.#held.size;
  }

  has(entryId: string): boolean {
    return this.#held.has(entryId);
  }

  /** Removes and returns up to `max` due items. */
  takeDue(nowMs: number, max: number): Item[] {
    const due = [...this.#held.values()].filter(({ dueMs }) => dueMs <= nowMs).slice(0, max);
    for (const { item } of due) this.#held.delete(item.entry.entryId);
    return due.map(({ item }) => item);
  }

  /** Time until the next item is due; undefined if none waits. */
  dueInMs(nowMs: number): number | undefined {
    if (this.#held.size === 0) return undefined;
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#held.values()) firstMs = Math.min(firstMs, dueMs);
    return Math.max(0, firstMs - nowMs);
  }
}
