import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Upload } from "@aws-sdk/lib-storage";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";
import { createClient, type S3Address } from "./s3-client.ts";
import { UploadSlots } from "./upload-slots.ts";

export interface S3StoreOptions extends S3Address {
  readonly bucket: string;
  /** Where a recording is written before it is uploaded; nothing else is kept there. */
  readonly directory: string;
}

/** A draining node ends hundreds of calls at once; each upload holds a part of 5 MiB or two in memory. */
const MAX_UPLOADS_AT_ONCE = 4;
const PARTS_AT_ONCE_PER_UPLOAD = 1;

/**
 * Recordings in an S3-compatible bucket: written locally while the call goes on, uploaded at its end. What
 * a crash or a failed upload left behind stays there until it is recovered.
 */
export function createS3Store(options: S3StoreOptions): RecordingStore {
  const { directory } = options;
  const local = createLocalStore(directory);
  const client = createClient(options);
  const slots = new UploadSlots(MAX_UPLOADS_AT_ONCE);
  const upload = async (key: string): Promise<void> => {
    const path = join(directory, fileNameOf(key));
    await slots.run(async () => {
      const params = {
        Bucket: options.bucket,
        Key: key,
        Body: createReadStream(path),
        ContentType: "audio/wav",
      };
      await new Upload({ client, params, queueSize: PARTS_AT_ONCE_PER_UPLOAD }).done();
    });
    await rm(path, { force: true });
  };
  return {
    create: async (key, onFailed) => {
      const sink = await local.create(fileNameOf(key), onFailed);
      return {
        write: (bytes) => sink.write(bytes),
        writeSilence: (byteCount) => sink.writeSilence(byteCount),
        rewriteAt: (offset, bytes) => sink.rewriteAt(offset, bytes),
        finish: async () => {
          const stored = await sink.finish();
          await upload(key);
          return stored;
        },
      };
    },
    recover: async (key) => {
      const stored = await local.recover(fileNameOf(key));
      if (stored) await upload(key);
      return stored;
    },
  };
}

/** One flat name a key: no directories are left behind when the file is gone. */
function fileNameOf(key: string): string {
  return encodeURIComponent(key);
}
