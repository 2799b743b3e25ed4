import { join } from "node:path";
import type { Config } from "@parley/shared/config/config.ts";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";
import { createS3Store } from "./s3-store.ts";

/** Directory below the recordings, separate from those an installation kept before it had a bucket. */
const UPLOADS = "uploads";

/** Opens the configured store: the bucket if one is named, or else files below `directory`. */
export function openRecordingStore(storage: Config["storage"], directory: string): RecordingStore {
  const { bucket } = storage.s3;
  if (bucket === undefined) return createLocalStore(directory);
  return createS3Store({ ...storage.s3, bucket, directory: join(directory, UPLOADS) });
}
