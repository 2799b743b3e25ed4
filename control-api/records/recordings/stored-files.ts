import { createReadStream } from "node:fs";
import { mkdir, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import type { Config } from "@parley/shared/config/config.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { ByteRange } from "./byte-range.ts";

/** What gateways recorded and people uploaded, wherever it is kept. Reading throws `AppError` not_found. */
export interface StoredFiles {
  sizeBytes(key: string): Promise<number>;
  open(key: string, range: ByteRange): Promise<Readable>;
  /** Resolves when a file that was uploaded is stored whole. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when it is gone, also when it was not there. */
  delete(key: string): Promise<void>;
}

export function openStoredFiles(storage: Config["storage"]): StoredFiles {
  const { bucket } = storage.s3;
  if (bucket === undefined) return localFiles(join(storage.dataDir, "recordings"));
  return bucketFiles(bucket, storage.s3);
}

function localFiles(directory: string): StoredFiles {
  const pathOf = (key: string): string => join(directory, ...key.split("/"));
  return {
    sizeBytes: async (key) => {
      const found = await stat(pathOf(key)).catch(() => undefined);
      if (!found) throw gone();
      return found.size;
    },
    open: async (key, { start, end }) => createReadStream(pathOf(key), { start, end }),
    put: async (key, bytes) => {
      const path = pathOf(key);
      const write = async (): Promise<void> => {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, bytes);
      };
      // A deletion may have taken the empty folder away in between.
      await write().catch(write);
    },
    delete: async (key) => {
      await rm(pathOf(key), { force: true });
      // The session's folder too, unless something else is in it.
      await rmdir(dirname(pathOf(key))).catch(() => undefined);
    },
  };
}

function bucketFiles(
  bucket: string,
  { region, endpoint, accessKeyId, secretAccessKey }: Config["storage"]["s3"],
): StoredFiles {
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } };
  const address = endpoint === undefined ? {} : { endpoint, forcePathStyle: true };
  const client = new S3Client({ region, ...address, ...credentials });
  return {
    sizeBytes: async (key) => {
      const head = await client
        .send(new HeadObjectCommand({ Bucket: bucket, Key: key }))
        .catch(() => undefined);
      if (head?.ContentLength === undefined) throw gone();
      return head.ContentLength;
    },
    open: async (key, { start, end }) => {
      const Range = `bytes=${start}-${end}`;
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }));
      if (!(Body instanceof Readable)) throw gone();
      return Body;
    },
    put: async (key, bytes) => {
      const params = { Bucket: bucket, Key: key, Body: bytes, ContentType: "audio/wav" };
      await client.send(new PutObjectCommand(params));
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}

function gone(): AppError {
  return new AppError("not_found", "The file is not there any more.");
}
