import type { EventFile } from "./event-file.ts";
import type { MemorySpill } from "./memory-spill.ts";
import type { Spill, SpilledEvent } from "./spill.ts";

/** Lines of the file for each event the queue may hold, before it is written anew from the queue. */
const MAX_LINES_PER_EVENT = 2;

/**
 * A queue in memory with a copy on disk while the bus is away. The copy is only ever added to, and gone when
 * all is handed over: after a crash some of its events may have been handed over already, which their ids
 * tell. While the bus is there nothing is written.
 */
export class FileSpill implements Spill {
  readonly #memory: MemorySpill;
  readonly #file: EventFile;
  readonly #maxLines: number;
  #isKeeping = false;
  #lines = 0;

  constructor(parts: { memory: MemorySpill; file: EventFile; maxEvents: number }) {
    this.#memory = parts.memory;
    this.#file = parts.file;
    this.#maxLines = parts.maxEvents * MAX_LINES_PER_EVENT;
  }

  get size(): number {
    return this.#memory.size;
  }

  push(event: SpilledEvent): void {
    this.#memory.push(event);
    if (!this.#isKeeping) return;
    this.#lines += 1;
    if (this.#lines > this.#maxLines) this.#writeAnew();
    else this.#file.add(event.payload);
  }

  oldest(count: number): readonly SpilledEvent[] {
    return this.#memory.oldest(count);
  }

  drop(batch: readonly SpilledEvent[], count: number): void {
    this.#memory.drop(batch, count);
    if (!this.#isKeeping || this.size > 0) return;
    this.#isKeeping = false;
    this.#file.replace([]);
  }

  keep(): void {
    if (this.#isKeeping || this.size === 0) return;
    this.#isKeeping = true;
    this.#writeAnew();
  }

  async close(): Promise<void> {
    this.keep();
    await this.#file.close();
  }

  #writeAnew(): void {
    const events = this.#memory.oldest(this.size);
    this.#lines = events.length;
    this.#file.replace(events.map(({ payload }) => payload));
  }
}
