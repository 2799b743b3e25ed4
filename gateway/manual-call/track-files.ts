import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { GetObjectCommand } from "@aws-sdk/client-s3";
import type { Config } from "@parley/shared/config/config.ts";
import { createClient } from "../recordings/s3-client.ts";

/** Reads an organization's uploaded file by its key in the recordings' storage; rejects if it cannot. */
export type ReadTrack = (key: string) => Promise<Uint8Array>;

/** Reads tracks from the recordings' storage: the configured bucket, or else `directory`. */
export function openTrackFiles({ s3 }: Config["storage"], directory: string): ReadTrack {
  const { bucket } = s3;
  if (bucket === undefined) return (key) => readFile(join(directory, ...key.split("/")));
  const client = createClient(s3);
  return async (key) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!Body) throw new Error("the bucket gave no body");
    return Body.transformToByteArray();
  };
}
