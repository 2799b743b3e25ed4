import { MAX_MESSAGE_CHARS } from "../methods/ai.ts";
import { FILE_LIMITS } from "../methods/limits.ts";
import { BridgeError } from "../wire/errors.ts";

interface Stored {
  readonly bytes: ArrayBuffer;
  readonly updatedAt: string;
}

const TEXTS = /\.(txt|md)$/i;

/** One app's files in memory, under the server's limits of size and number. */
export class MemoryFiles {
  readonly #files = new Map<string, Stored>();

  put(path: string, bytes: ArrayBuffer): { path: string; size: number } {
    const size = bytes.byteLength;
    if (size > FILE_LIMITS.fileBytes) throw new BridgeError("too_large", "A file may have 25 MB.");
    const others = [...this.#files].filter(([name]) => name !== path);
    const total = others.reduce(
      (
        sum,
        [
          ,
          {
            bytes: { byteLength },
          },
        ],
      ) => sum + byteLength,
      size,
    );
    if (total > FILE_LIMITS.totalBytes || others.length + 1 > FILE_LIMITS.files) {
      throw new BridgeError("quota_exceeded", "The app may store 1 GB in 10,000 files; delete some first.");
    }
    this.#files.set(path, { bytes: bytes.slice(0), updatedAt: new Date().toISOString() });
    return { path, size };
  }

  get(path: string): ArrayBuffer {
    return this.#stored(path).bytes.slice(0);
  }

  list(prefix = ""): { path: string; contentType: string; sizeBytes: number; updatedAt: string }[] {
    return [...this.#files]
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, { bytes, updatedAt }]) => ({
        path,
        contentType: "application/octet-stream",
        sizeBytes: bytes.byteLength,
        updatedAt,
      }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  delete(path: string): { deleted: boolean } {
    return { deleted: this.#files.delete(path) };
  }

  /** Handles txt and md; formats that need a parser are left to the server. */
  extractText(path: string): { text: string; truncated: boolean } {
    if (!TEXTS.test(path)) {
      throw new BridgeError(
        "unavailable",
        "The mock reads txt and md; try pdf and docx inside the dashboard.",
      );
    }
    const text = new TextDecoder().decode(this.#stored(path).bytes);
    return { text: text.slice(0, MAX_MESSAGE_CHARS), truncated: text.length > MAX_MESSAGE_CHARS };
  }

  #stored(path: string): Stored {
    const stored = this.#files.get(path);
    if (stored === undefined) throw new BridgeError("not_found", `There is no file ${path}.`);
    return stored;
  }
}
