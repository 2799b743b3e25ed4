import { write } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { BlockPool } from "./block-pool.ts";

/** Audio that may wait for a slow disk before the recording is given up: about two minutes of a call. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

interface Write {
  readonly offset: number;
  readonly block: Buffer;
  readonly length: number;
}

const pool = new BlockPool();

/**
 * Writes a file in the background, in order. The first failure (disk full, disk gone) ends the queue: it is reported at
 * once, later bytes are dropped, and `close` reports it again.
 */
export class WriteQueue {
  readonly #file: FileHandle;
  readonly #onFailed: (error: Error) => void;
  #waiting: Write[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  #failure: Error | undefined;
  #onIdle: (() => void) | undefined;

  /** `onFailed` is called at most once. */
  constructor(file: FileHandle, onFailed: (error: Error) => void) {
    this.#file = file;
    this.#onFailed = onFailed;
  }

  /** Copies `bytes`. */
  add(offset: number, bytes: Uint8Array): void {
    if (!this.#hasRoom(bytes.length)) return;
    const block = pool.take(bytes.length);
    block.set(bytes);
    this.#push({ offset, block, length: bytes.length });
  }

  /** Writes `byteCount` zeros. */
  addSilence(offset: number, byteCount: number): void {
    for (let done = 0; done < byteCount; done += pool.silence.length) {
      const length = Math.min(byteCount - done, pool.silence.length);
      if (this.#hasRoom(length)) this.#push({ offset: offset + done, block: pool.silence, length });
    }
  }

  /** Resolves when everything is written and the file is closed. Returns the error if there was one. */
  async close(): Promise<Error | undefined> {
    if (this.#isWriting) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#file.close().catch((error: Error) => this.#fail(error));
    return this.#failure;
  }

  #hasRoom(byteCount: number): boolean {
    if (this.#failure) return false;
    this.#waitingBytes += byteCount;
    if (this.#waitingBytes <= MAX_WAITING_BYTES) return true;
    this.#fail(new Error("the disk is too slow for this recording"));
    return false;
  }

  #push(item: Write): void {
    this.#waiting.push(item);
    if (!this.#isWriting) this.#writeNext();
  }

  #writeNext(): void {
    const next = this.#waiting.shift();
    this.#isWriting = next !== undefined;
    if (next) this.#write(next, 0);
    else this.#onIdle?.();
  }

  /** Uses a callback: promises for the blocks of a thousand calls cost as much as the writing itself. */
  #write(item: Write, done: number): void {
    const { offset, block, length } = item;
    write(this.#file.fd, block, done, length - done, offset + done, (error, bytesWritten) => {
      // A disk that fills up accepts a part of a write before it refuses one.
      if (!error && done + bytesWritten < length) {
        this.#write(item, done + bytesWritten);
        return;
      }
      pool.giveBack(block);
      this.#waitingBytes -= length;
      if (error) this.#fail(error);
      this.#writeNext();
    });
  }

  #fail(error: Error): void {
    const isFirst = this.#failure === undefined;
    this.#failure ??= error;
    for (const { block } of this.#waiting) pool.giveBack(block);
    this.#waiting = [];
    this.#waitingBytes = 0;
    if (isFirst) this.#onFailed(error);
  }
}
