import { Worker } from "node:worker_threads";
import { systemClock } from "@parley/shared/clock.ts";
import { BLOCK_BYTES, type DiskAnswer, type DiskBatch } from "./disk-messages.ts";

/** Writes wait this long for others: one wake-up of the thread serves all recordings. */
const BATCH_EVERY_MS = 200;
/** Maximum number of free blocks to keep: 16 MB. Calls that begin together write together. */
const MAX_FREE_BLOCKS = 192;
/** How often a batch is handed to a new thread after the one that had it died. */
const MAX_DEATHS = 3;

/** The recording that a write belongs to. */
export interface DiskClient {
  /** True once a write has failed: nothing more of the recording is written. */
  readonly hasFailed: boolean;
  /** `bytes` were written, or could not be, or were dropped because the recording has failed. */
  onWritten(bytes: number, error: Error | undefined): void;
}

interface Waiting {
  readonly client: DiskClient;
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
  readonly block: number | undefined;
}

/**
 * Writes the recordings of all calls on one thread with one message to it for all that came within a fifth of a second, in memory that
 * both share. A write by Node's own pool wakes a thread and the event loop for each block of each call, and a disk that
 * hangs stops whatever else needs the pool.
 */
export class DiskWriter {
  readonly #memory = new Map<number, SharedArrayBuffer>();
  readonly #views = new Map<number, Uint8Array>();
  readonly #free: number[] = [];
  #nextBlock = 1;
  #added: number[] = [];
  #removed: number[] = [];
  #waiting: Waiting[] = [];
  #inFlight: readonly Waiting[] | undefined;
  #cancelTimer: (() => void) | undefined;
  #worker: Worker | undefined;
  #deaths = 0;
  /** True if what waits is to follow the batch in flight at once. */
  #isHurried = false;
  readonly #startThread: () => Worker;

  constructor(startThread = startDiskThread) {
    this.#startThread = startThread;
  }

  /** Copies `bytes`, and writes them to an open file; `onWritten` may be called several times for parts of them. */
  write(client: DiskClient, fd: number, offset: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; done += BLOCK_BYTES) {
      const part = bytes.length <= BLOCK_BYTES ? bytes : bytes.subarray(done, done + BLOCK_BYTES);
      const block = this.#takeBlock();
      this.#views.get(block)?.set(part);
      this.#waiting.push({ client, fd, offset: offset + done, length: part.length, block });
    }
    this.#writeSoon();
  }

  /** Appends zeros to an open file that ends at `offset`. */
  writeZeros(client: DiskClient, fd: number, offset: number, length: number): void {
    this.#waiting.push({ client, fd, offset, length, block: undefined });
    this.#writeSoon();
  }

  /** Writes what waits now: somebody waits for a recording's end. */
  hurry(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isHurried = this.#inFlight !== undefined;
    this.#flush();
  }

  #writeSoon(): void {
    if (this.#cancelTimer || this.#inFlight) return;
    // The thread runs in real time, whatever clock the calls use.
    this.#cancelTimer = systemClock.after(BATCH_EVERY_MS, () => this.hurry());
  }

  #flush(): void {
    if (this.#inFlight || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    const writes: Waiting[] = [];
    for (const write of waiting) {
      if (write.client.hasFailed) this.#done(write, undefined);
      else writes.push(write);
    }
    this.#send(writes);
  }

  #send(writes: readonly Waiting[]): void {
    if (writes.length === 0) return;
    this.#inFlight = writes;
    let worker: Worker;
    try {
      worker = this.#worker ?? this.#start();
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    // Bytes that wait keep the process alive, as Node's own writes do.
    worker.ref();
    const added = this.#added.flatMap((block) => {
      const memory = this.#memory.get(block);
      return memory ? [{ block, memory }] : [];
    });
    const batch: DiskBatch = {
      added,
      removed: this.#removed,
      writes: writes.map(({ fd, offset, length, block }) => ({ fd, offset, length, block })),
    };
    this.#added = [];
    this.#removed = [];
    worker.postMessage(batch);
  }

  #start(): Worker {
    const worker = this.#startThread();
    this.#worker = worker;
    this.#added = [...this.#memory.keys()];
    worker.on("message", (answer: DiskAnswer) => this.#onAnswer(answer));
    worker.on("error", (error) => this.#onDead(worker, error));
    worker.on("exit", () => this.#onDead(worker, new Error("the disk's thread ended")));
    return worker;
  }

  #onAnswer({ failures }: DiskAnswer): void {
    this.#deaths = 0;
    this.#worker?.unref();
    for (const { at, code, message } of failures) {
      const error = Object.assign(new Error(message), code === undefined ? {} : { code });
      this.#inFlight?.[at]?.client.onWritten(0, error);
    }
    this.#end(undefined);
  }

  /** Writes name their places, so that a batch may be written twice. */
  #onDead(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#deaths += 1;
    if (this.#deaths < MAX_DEATHS) {
      this.#send(this.#inFlight ?? []);
      return;
    }
    this.#deaths = 0;
    this.#end(error);
  }

  /** The batch in flight was written, or cannot be. */
  #end(error: Error | undefined): void {
    const writes = this.#inFlight ?? [];
    this.#inFlight = undefined;
    for (const write of writes) this.#done(write, error);
    if (this.#waiting.length === 0) return;
    if (this.#isHurried) this.hurry();
    else this.#writeSoon();
  }

  #done({ client, length, block }: Waiting, error: Error | undefined): void {
    if (block !== undefined) this.#giveBack(block);
    client.onWritten(length, error);
  }

  #takeBlock(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const block = this.#nextBlock++;
    const memory = new SharedArrayBuffer(BLOCK_BYTES);
    this.#memory.set(block, memory);
    this.#views.set(block, new Uint8Array(memory));
    this.#added.push(block);
    return block;
  }

  #giveBack(block: number): void {
    if (this.#free.length < MAX_FREE_BLOCKS) {
      this.#free.push(block);
      return;
    }
    this.#memory.delete(block);
    this.#views.delete(block);
    this.#removed.push(block);
  }
}

/** The process's own arguments (a script to evaluate, a profiler's) are not the thread's. */
function startDiskThread(): Worker {
  return new Worker(new URL("./disk-thread.ts", import.meta.url), { execArgv: [] });
}
