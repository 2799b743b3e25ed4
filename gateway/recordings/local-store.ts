import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { finishLeftOffWav, WAV_HEADER_BYTES } from "@parley/media/wav/left-off.ts";
import { AppError } from "@parley/shared/errors.ts";
import { orIfMissing } from "../files/missing-file.ts";
import type { RecordingSink, RecordingStore, StoredRecording } from "./recording-store.ts";
import { WriteQueue } from "./write-queue.ts";

/** Stores recordings as files below `directory`; they are playable at any moment, even after a crash. */
export function createLocalStore(directory: string): RecordingStore {
  const pathOf = (key: string): string => join(directory, ...key.split("/"));
  return {
    create: async (key, onFailed) => {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      return new FileSink(new WriteQueue(await open(path, "wx"), onFailed));
    },
    recover: async (key) => {
      const file = await open(pathOf(key), "r+").catch((error: unknown) => orIfMissing(error, undefined));
      try {
        return file && (await finishFile(file));
      } finally {
        await file?.close();
      }
    },
  };
}

async function finishFile(file: FileHandle): Promise<StoredRecording | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(WAV_HEADER_BYTES), 0, WAV_HEADER_BYTES, 0);
  const { size } = await file.stat();
  const finished = finishLeftOffWav(buffer.subarray(0, bytesRead), size);
  if (!finished) return undefined;
  await file.truncate(finished.fileBytes);
  await file.write(finished.header, 0, WAV_HEADER_BYTES, 0);
  return { durationMs: finished.durationMs, sizeBytes: finished.fileBytes };
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

  writeSilence(byteCount: number): void {
    this.#queue.addSilence(this.#sizeBytes, byteCount);
    this.#sizeBytes += byteCount;
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
