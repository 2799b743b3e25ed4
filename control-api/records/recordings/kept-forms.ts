import { buffer } from "node:stream/consumers";
import { viewAsWav, type WavView } from "@parley/media/opus-file/wav-view.ts";
import type { StoredFiles } from "./stored-files.ts";

/** A recording is written as WAV and may be compressed later; both files have the name of the one that is written first. */
const [WAV, OGG] = [".wav", ".ogg"] as const;

export function isCompressed(key: string): boolean {
  return key.endsWith(OGG);
}

/** Where the compressed form of a recording lies that was written to `key`. */
export function compressedKeyOf(key: string): string {
  return key.replace(/\.wav$/, OGG);
}

/** Where a recording lies or may lie, in each form. */
export function keysOf(key: string): readonly string[] {
  const stem = key.replace(/\.(wav|ogg)$/, "");
  return stem === key ? [key] : [stem + WAV, stem + OGG];
}

/** A recording as WAV, decoded on the way where it was compressed. Throws `AppError` not_found, unavailable. */
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
