import { createReadStream } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";

export interface S3StoreOptions {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  /** Where a recording is written before it is uploaded. */
  readonly directory: string;
  readonly log: Logger;
}

const MAX_ATTEMPTS = 5;

/**
 * Recordings in an S3-compatible bucket: written locally while the call goes on, uploaded at its end. What
 * a crash left behind is uploaded by the next start.
 */
export function createS3Store(
  options: S3StoreOptions,
): RecordingStore & { uploadLeftovers(): Promise<void> } {
  const { directory, log } = options;
  const local = createLocalStore(directory);
  const client = createClient(options);
  const upload = async (key: string): Promise<void> => {
    const path = join(directory, ...key.split("/"));
    const params = {
      Bucket: options.bucket,
      Key: key,
      Body: createReadStream(path),
      ContentType: "audio/wav",
    };
    await new Upload({ client, params }).done();
    await rm(path);
  };
  return {
    create: async (key) => {
      const sink = await local.create(key);
      return {
        write: (bytes) => sink.write(bytes),
        rewriteAt: (offset, bytes) => sink.rewriteAt(offset, bytes),
        finish: async () => {
          const stored = await sink.finish();
          await upload(key);
          return stored;
        },
      };
    },
    uploadLeftovers: async () => {
      for (const key of await keysBelow(directory)) {
        await upload(key).catch((error: unknown) => {
          log.error({ err: messageOf(error) }, "a recording left by a crash could not be uploaded");
        });
      }
    },
  };
}

function createClient({ region, endpoint, accessKeyId, secretAccessKey }: S3StoreOptions): S3Client {
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } };
  // Stores other than AWS rarely have a host name for each bucket.
  const address = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
  return new S3Client({ region, maxAttempts: MAX_ATTEMPTS, ...address, ...credentials });
}

async function keysBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"));
}
