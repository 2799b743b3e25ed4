import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { AppError } from "@parley/shared/errors.ts";
import type { RecordingSink, RecordingStore } from "./recording-store.ts";
import { WriteQueue } from "./write-queue.ts";

/** Recordings as files below `directory`; playable at any moment, also after a crash. */
export function createLocalStore(directory: string): RecordingStore {
  return {
    create: async (key) => {
      const path = join(directory, ...key.split("/"));
      await mkdir(dirname(path), { recursive: true });
      return new FileSink(new WriteQueue(await open(path, "wx")));
    },
  };
}

class FileSink implements RecordingSink {
  readonly #queue: WriteQueue;
  #sizeBytes = 0;

  constructor(queue: WriteQueue) {
    this.#queue = queue;
  }

  write(bytes: Uint8Array): void {
    this.#queue.add(this.#sizeBytes, bytes);
    this.#sizeBytes += bytes.length;
  }

  rewriteAt(offset: number, bytes: Uint8Array): void {
    this.#queue.add(offset, bytes);
  }

  async finish(): Promise<{ sizeBytes: number }> {
    const failure = await this.#queue.close();
    if (failure)
      throw new AppError("unavailable", "The recording could not be written in full.", { cause: failure });
    return { sizeBytes: this.#sizeBytes };
  }
}
