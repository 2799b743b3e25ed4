import { buffer } from "node:stream/consumers";
import { viewAsWav, type WavView } from "@parley/media/opus-file/wav-view.ts";
import type { StoredFiles } from "./stored-files.ts";

/** A recording is written as WAV and may be compressed later; both files are named after the original. */
const [WAV, OGG] = [".wav", ".ogg"] as const;

export function isCompressed(key: string): boolean {
  return key.endsWith(OGG);
}

/** Key of the compressed form of a recording written to `key`. */
export function compressedKeyOf(key: string): string {
  return key.replace(/\.wav$/, OGG);
}

/** Keys where a recording is or may be, in each form. */
export function keysOf(key: string): readonly string[] {
  const stem = key.replace(/\.(wav|ogg)$/, "");
  return stem === key ? [key] : [stem + WAV, stem + OGG];
}

/** Opens a recording as WAV, decoding a compressed one on the fly. Throws `AppError` not_found, unavailable. */
export async function openAsWav(recordings: StoredFiles, key: string): Promise<WavView> {
  const sizeBytes = await recordings.sizeBytes(key);
  if (!isCompressed(key)) {
    return {
      sizeBytes,
      open: async function* (range) {
        yield* await recordings.open(key, range);
      },
    };
  }
  const read = async ({ start, end }: { start: number; end: number }): Promise<Uint8Array> =>
    end > start ? buffer(await recordings.open(key, { start, end: end - 1 })) : new Uint8Array();
  return viewAsWav(read, sizeBytes);
}
