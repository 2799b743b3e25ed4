import { eventTypes } from "@parley/shared/contracts/call-events.ts";
import type { Spill, SpilledEvent } from "./spill.ts";

/** Event types dropped first if there is no room; the customer's record and money go last. */
const EXPENDABLE = eventTypes({
  "call.started": false,
  "call.message": false,
  "call.turn_metrics": true,
  "call.dtmf": true,
  "call.handed_off": false,
  "call.node_entered": true,
  "call.tokens_used": false,
  "call.transfer_requested": false,
  "call.tool_invoked": true,
  "recording.ready": false,
  "call.machine_detected": false,
  "call.ended": false,
});

/** A queue that lives as long as the process; holds `max` events and drops the least important beyond that. */
export class MemorySpill implements Spill {
  readonly #max: number;
  readonly #onLost: () => void;
  #events: SpilledEvent[] = [];

  constructor(max: number, onLost: () => void) {
    this.#max = max;
    this.#onLost = onLost;
  }

  get size(): number {
    return this.#events.length;
  }

  push(event: SpilledEvent): void {
    this.#events.push(event);
    if (this.#events.length <= this.#max) return;
    const expendable = this.#events.findIndex(({ type }) => EXPENDABLE.has(type));
    this.#events.splice(Math.max(0, expendable), 1);
    this.#onLost();
  }

  oldest(count: number): readonly SpilledEvent[] {
    return this.#events.slice(0, count);
  }

  drop(batch: readonly SpilledEvent[], count: number): void {
    const gone = new Set(batch.slice(0, count));
    const head = this.#events.slice(0, batch.length).filter((event) => !gone.has(event));
    this.#events = [...head, ...this.#events.slice(batch.length)];
  }

  keep(): void {
    // Memory is the only storage.
  }

  async close(): Promise<void> {
    // Nothing to finish.
  }
}
