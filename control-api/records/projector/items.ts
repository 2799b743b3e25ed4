import type { StreamEntry } from "@parley/shared/bus/bus.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";

/** An event on its way from the stream to the database. */
export interface Item {
  readonly entry: StreamEntry;
  readonly event: CallEvent;
  /** How often the database refused it. */
  readonly tries: number;
  /** Of an end: how often something before it was missing. */
  readonly looks: number;
}

/** Items that wait for another try. They stay unacknowledged meanwhile, so that a kill loses none. */
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

  /** Takes out those whose time has come, `max` of them. */
  takeDue(nowMs: number, max: number): Item[] {
    const due = [...this.#held.values()].filter(({ dueMs }) => dueMs <= nowMs).slice(0, max);
    for (const { item } of due) this.#held.delete(item.entry.entryId);
    return due.map(({ item }) => item);
  }

  /** How long until the next is due; undefined when none waits. */
  dueInMs(nowMs: number): number | undefined {
    if (this.#held.size === 0) return undefined;
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#held.values()) firstMs = Math.min(firstMs, dueMs);
    return Math.max(0, firstMs - nowMs);
  }
}
