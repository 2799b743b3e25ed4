import type { FileHandle } from "node:fs/promises";

/** Audio that waits for a slow disk; beyond it the recording is given up. About two minutes of a call. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

interface Write {
  readonly offset: number;
  readonly bytes: Buffer;
}

/**
 * Writes a file in the background, in order. The first failure (disk full, disk gone) ends it: later
 * bytes are let go, and the failure is told by `close`.
 */
export class WriteQueue {
  readonly #file: FileHandle;
  #waiting: Write[] = [];
  #waitingBytes = 0;
  #working: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Copies `bytes`. */
  add(offset: number, bytes: Uint8Array): void {
    if (this.#failure) return;
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#fail(new Error("the disk is too slow for this recording"));
      return;
    }
    this.#waiting.push({ offset, bytes: Buffer.from(bytes) });
    this.#working ??= this.#work();
  }

  /** Resolves when all is written and the file closed; gives what went wrong. */
  async close(): Promise<Error | undefined> {
    while (this.#working !== undefined) await this.#working;
    await this.#file.close().catch((error: Error) => this.#fail(error));
    return this.#failure;
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = coalesce(this.#waiting);
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        for (const write of batch) await this.#write(write);
      } catch (error) {
        this.#fail(error instanceof Error ? error : new Error(String(error)));
      }
    }
    this.#working = undefined;
  }

  /** A disk that fills up takes a part of a write before it refuses one. */
  async #write({ offset, bytes }: Write): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#waiting = [];
    this.#waitingBytes = 0;
  }
}

/** Joins writes that follow on each other, so that one call goes to the disk for many blocks. */
function coalesce(writes: readonly Write[]): Write[] {
  const joined: Write[] = [];
  let run: Write[] = [];
  const endRun = (): void => {
    const first = run[0];
    if (first) joined.push({ offset: first.offset, bytes: Buffer.concat(run.map(({ bytes }) => bytes)) });
    run = [];
  };
  for (const write of writes) {
    const last = run.at(-1);
    if (last && last.offset + last.bytes.length !== write.offset) endRun();
    run.push(write);
  }
  endRun();
  return joined;
}
