import { createReadStream } from "node:fs";
import { readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { createLocalStore } from "./local-store.ts";
import type { RecordingStore } from "./recording-store.ts";
import { UploadSlots } from "./upload-slots.ts";

export interface S3StoreOptions {
  readonly bucket: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  /** Where a recording is written before it is uploaded; nothing else is kept there. */
  readonly directory: string;
  readonly clock: Pick<Clock, "wallMs">;
  readonly log: Logger;
}

const MAX_ATTEMPTS = 5;
/** A draining node ends hundreds of calls at once; each upload holds a part of 5 MiB or two in memory. */
const MAX_UPLOADS_AT_ONCE = 4;
const PARTS_AT_ONCE_PER_UPLOAD = 1;
/**
 * A recording nobody has touched for this long has no owner any more. A live one is written to four times
 * a second, by this process or by another gateway on this machine.
 */
const ABANDONED_AFTER_MS = 10 * 60_000;

/**
 * Recordings in an S3-compatible bucket: written locally while the call goes on, uploaded at its end. What
 * a crash or a failed upload left behind is uploaded by a later start, or after another recording's upload.
 */
export function createS3Store(
  options: S3StoreOptions,
): RecordingStore & { uploadLeftovers(): Promise<void> } {
  const { directory, clock, log } = options;
  const local = createLocalStore(directory);
  const client = createClient(options);
  const slots = new UploadSlots(MAX_UPLOADS_AT_ONCE);
  const upload = async (key: string): Promise<void> => {
    const path = join(directory, fileNameOf(key));
    const now = new Date(clock.wallMs());
    await utimes(path, now, now);
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
  let isUploadingLeftovers = false;
  const uploadLeftovers = async (): Promise<void> => {
    if (isUploadingLeftovers) return;
    isUploadingLeftovers = true;
    for (const key of await abandonedIn(directory, clock.wallMs() - ABANDONED_AFTER_MS)) {
      await upload(key).catch((error: unknown) => {
        log.error({ err: messageOf(error) }, "a recording that was left behind could not be uploaded");
      });
    }
    isUploadingLeftovers = false;
  };
  return {
    create: async (key) => {
      const sink = await local.create(fileNameOf(key));
      return {
        write: (bytes) => sink.write(bytes),
        rewriteAt: (offset, bytes) => sink.rewriteAt(offset, bytes),
        finish: async () => {
          const stored = await sink.finish();
          await upload(key);
          void uploadLeftovers();
          return stored;
        },
      };
    },
    uploadLeftovers,
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

/** One flat name a key: no directories are left behind when the file is gone. */
function fileNameOf(key: string): string {
  return encodeURIComponent(key);
}

/** Keys of the recordings in a directory that were last touched before `beforeMs`, wall-clock. */
async function abandonedIn(directory: string, beforeMs: number): Promise<string[]> {
  const names = await readdir(directory).catch(() => []);
  const keys: string[] = [];
  for (const name of names) {
    // Another gateway on this machine may have uploaded it meanwhile.
    const file = await stat(join(directory, name)).catch(() => undefined);
    if (file?.isFile() && file.mtimeMs < beforeMs) keys.push(decodeURIComponent(name));
  }
  return keys;
}
