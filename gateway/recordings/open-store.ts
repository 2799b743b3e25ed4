import { join } from "node:path";
import type { Config } from "@parley/shared/config/config.ts";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";
import { createS3Store } from "./s3-store.ts";

/** Below the directory of recordings, apart from those an installation kept before it had a bucket. */
const UPLOADS = "uploads";

/** The configured store: a bucket where one is named, files below `directory` otherwise. */
export function openRecordingStore(storage: Config["storage"], directory: string): RecordingStore {
  const { bucket } = storage.s3;
  if (bucket === undefined) return createLocalStore(directory);
  return createS3Store({ ...storage.s3, bucket, directory: join(directory, UPLOADS) });
}
