import type { Clock } from "@parley/shared/clock.ts";
import type { EventFile } from "./event-file.ts";
import type { MemorySpill } from "./memory-spill.ts";
import type { Spill, SpilledEvent } from "./spill.ts";

/** Lines per event the queue may hold, before the file is rewritten from the queue. */
const MAX_LINES_PER_EVENT = 2;
/** Pause before a disk that refused a write is tried again, with the next event. */
const RETRY_DISK_MS = 2_000;

/**
 * A queue in memory with a copy on disk while the bus is away. The copy only grows, and is removed once everything is
 * handed over; after a crash it may hold events that were already handed over, which their ids reveal. Nothing is
 * written while the bus is there. A disk that refuses is retried until it has room; the copy is then whole.
 */
export class FileSpill implements Spill {
  readonly #memory: MemorySpill;
  readonly #file: EventFile;
  readonly #maxLines: number;
  readonly #clock: Pick<Clock, "monotonicMs">;
  #isKeeping = false;
  #lines = 0;
  #writtenAnewMs = 0;

  constructor(parts: {
    memory: MemorySpill;
    file: EventFile;
    maxEvents: number;
    clock: Pick<Clock, "monotonicMs">;
  }) {
    this.#memory = parts.memory;
    this.#file = parts.file;
    this.#maxLines = parts.maxEvents * MAX_LINES_PER_EVENT;
    this.#clock = parts.clock;
  }

  get size(): number {
    return this.#memory.size;
  }

  push(event: SpilledEvent): void {
    this.#memory.push(event);
    if (!this.#isKeeping) return;
    this.#lines += 1;
    if (this.#lines > this.#maxLines || this.#isRetryDue) this.#writeAnew();
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
    if (this.#isKeeping && this.#file.hasFailed) {
      this.#writeAnew();
      await this.#file.close();
    }
  }

  get #isRetryDue(): boolean {
    return this.#file.hasFailed && this.#clock.monotonicMs() - this.#writtenAnewMs >= RETRY_DISK_MS;
  }

  #writeAnew(): void {
    this.#writtenAnewMs = this.#clock.monotonicMs();
    const events = this.#memory.oldest(this.size);
    this.#lines = events.length;
    this.#file.replace(events.map(({ payload }) => payload));
  }
}
