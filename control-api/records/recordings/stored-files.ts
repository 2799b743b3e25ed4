import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { Config } from "@parley/shared/config/config.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { ByteRange } from "./byte-range.ts";

/** Gateways' recordings and people's uploads, wherever they are stored. Reading throws `AppError` not_found. */
export interface StoredFiles {
  sizeBytes(key: string): Promise<number>;
  open(key: string, range: ByteRange): Promise<Readable>;
  /** Resolves when the upload is stored completely. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Resolves when the file is gone, or if it never existed. */
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
      const found = await stat(pathOf(key)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      });
      if (!found) throw gone();
      return found.size;
    },
    open: async (key, { start, end }) => createReadStream(pathOf(key), { start, end }),
    put: async (key, bytes) => {
      const path = pathOf(key);
      const write = async (): Promise<void> => {
        await mkdir(dirname(path), { recursive: true });
        await writeForGood(path, bytes);
      };
      // A concurrent deletion may have removed the empty folder.
      await write().catch(write);
    },
    delete: async (key) => {
      await rm(pathOf(key), { force: true });
      await deleteUnfinished(pathOf(key));
      // Removes the session's folder, too, unless it has other files.
      await rmdir(dirname(pathOf(key))).catch(() => undefined);
    },
  };
}

/** Writes atomically and durably: the file is complete under its name or absent, even after power loss. */
async function writeForGood(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    await syncWith(unfinished, "wx", (file) => file.writeFile(bytes));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  // Makes the name durable, too.
  await syncWith(dirname(path), "r");
}

/** Deletes partial files left by a killed process. */
async function deleteUnfinished(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => []);
  const unfinished = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith(".part"));
  for (const name of unfinished) await rm(join(dirname(path), name), { force: true });
}

async function syncWith(
  path: string,
  flags: string,
  write?: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags);
  try {
    await write?.(file);
    await file.sync();
  } finally {
    await file.close();
  }
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
        .catch((error: unknown) => {
          // Temporary failures do not mean the file is gone. Without permission to list, S3 says 403 if it is missing.
          const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
          if (status !== 404 && status !== 403) throw error;
        });
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
      const ContentType = key.endsWith(".ogg") ? "audio/ogg" : "audio/wav";
      const params = { Bucket: bucket, Key: key, Body: bytes, ContentType };
      await client.send(new PutObjectCommand(params));
    },
    delete: async (key) => {
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
    },
  };
}

function gone(): AppError {
  return new AppError("not_found", "The file no longer exists.");
}
