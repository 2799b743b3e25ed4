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
  /** Directory in which recordings are written before their upload; it holds nothing else. */
  readonly directory: string;
}

/** A draining node ends hundreds of calls at once, and each upload holds one or two parts of 5 MiB in memory. */
const MAX_UPLOADS_AT_ONCE = 4;
const PARTS_AT_ONCE_PER_UPLOAD = 1;

/**
 * Keeps recordings in an S3-compatible bucket: written locally during the call, uploaded at its end. Files left behind
 * by a crash or a failed upload stay local until they are recovered.
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

/** Maps each key to one flat name, so that no directories remain once the file is gone. */
function fileNameOf(key: string): string {
  return encodeURIComponent(key);
}
