import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";
import { createS3Store } from "./s3-store.ts";

/** The configured store: a bucket where one is named, files below `directory` otherwise. */
export async function openRecordingStore(
  storage: Config["storage"],
  directory: string,
  log: Logger,
): Promise<RecordingStore> {
  const { bucket } = storage.s3;
  if (bucket === undefined) return createLocalStore(directory);
  const store = createS3Store({ ...storage.s3, bucket, directory, log });
  await store.uploadLeftovers();
  return store;
}
