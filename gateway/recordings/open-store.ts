import { join } from "node:path";
import { systemClock } from "@parley/shared/clock.ts";
import type { Config } from "@parley/shared/config/config.ts";
import type { Logger } from "@parley/shared/log.ts";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";
import { createS3Store } from "./s3-store.ts";

/** Below the directory of recordings, apart from those an installation kept before it had a bucket. */
const UPLOADS = "uploads";

/** The configured store: a bucket where one is named, files below `directory` otherwise. */
export async function openRecordingStore(
  storage: Config["storage"],
  directory: string,
  log: Logger,
): Promise<RecordingStore> {
  const { bucket } = storage.s3;
  if (bucket === undefined) return createLocalStore(directory);
  const uploads = join(directory, UPLOADS);
  const store = createS3Store({ ...storage.s3, bucket, directory: uploads, clock: systemClock, log });
  // In the background: a node takes calls while its bucket is slow or away.
  void store.uploadLeftovers();
  return store;
}
