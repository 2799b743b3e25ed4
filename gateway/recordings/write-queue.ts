import type { FileHandle } from "node:fs/promises";
import { type DiskClient, DiskWriter } from "./disk-writer.ts";

/** Audio that may wait for a slow disk before the recording is given up: about two minutes of a call. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

const disk = new DiskWriter();

/**
 * Writes a file in the background, in order. The first failure (disk full, disk gone) ends the queue: it is reported at
 * once, later bytes are dropped, and `close` reports it again.
 */
export class WriteQueue implements DiskClient {
  readonly #file: FileHandle;
  readonly #onFailed: (error: Error) => void;
  #waitingBytes = 0;
  #failure: Error | undefined;
  #onIdle: (() => void) | undefined;

  /** `onFailed` is called at most once. */
  constructor(file: FileHandle, onFailed: (error: Error) => void) {
    this.#file = file;
    this.#onFailed = onFailed;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Copies `bytes`. */
  add(offset: number, bytes: Uint8Array): void {
    if (this.#hasRoom(bytes.length)) disk.write(this, this.#file.fd, offset, bytes);
  }

  /** Appends `byteCount` zeros at `offset`, the end of what was added. */
  addSilence(offset: number, byteCount: number): void {
    if (this.#failure || byteCount === 0) return;
    this.#waitingBytes += byteCount;
    disk.writeZeros(this, this.#file.fd, offset, byteCount);
  }

  /** Resolves when everything is written and the file is closed. Returns the error if there was one. */
  async close(): Promise<Error | undefined> {
    if (this.#waitingBytes > 0) {
      const idle = new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
      disk.hurry();
      await idle;
    }
    await this.#file.close().catch((error: Error) => this.#fail(error));
    return this.#failure;
  }

  /** Called by the writer. */
  onWritten(bytes: number, error: Error | undefined): void {
    this.#waitingBytes -= bytes;
    if (error) this.#fail(error);
    if (this.#waitingBytes === 0) this.#onIdle?.();
  }

  #hasRoom(byteCount: number): boolean {
    if (this.#failure) return false;
    if (this.#waitingBytes + byteCount > MAX_WAITING_BYTES) {
      this.#fail(new Error("the disk is too slow for this recording"));
      return false;
    }
    this.#waitingBytes += byteCount;
    return true;
  }

  #fail(error: Error): void {
    const isFirst = this.#failure === undefined;
    this.#failure ??= error;
    if (isFirst) this.#onFailed(error);
  }
}
