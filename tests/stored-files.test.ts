import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStoredFiles } from "@parley/control-api/records/recordings/stored-files.ts";
import { openTrackFiles } from "@parley/gateway/manual-call/track-files.ts";
import { type Config, loadConfig } from "@parley/shared/config/config.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { TestBucket } from "../testkit/bucket.ts";

const KEY = "tracks/org_1/trk_1.wav";
const BYTES = Buffer.from("RIFF and all that");

type Storage = Config["storage"];

const STORAGES: Readonly<Record<string, () => Promise<Storage>>> = {
  "a folder": async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parley-files-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    return loadConfig({ DATA_DIR: dataDir }).storage;
  },
  "a bucket": async () => {
    const bucket = await TestBucket.start();
    onTestFinished(() => bucket.close());
    return { ...loadConfig({ DATA_DIR: "/nowhere" }).storage, s3: bucket.address };
  },
};

describe.each(Object.entries(STORAGES))("files in %s", (_name, open) => {
  it("are put, measured, read in parts, and deleted as often as one likes", async () => {
    const files = openStoredFiles(await open());
    await files.put(KEY, BYTES);
    expect(await files.sizeBytes(KEY)).toBe(BYTES.length);
    const pieces: Buffer[] = [];
    for await (const piece of await files.open(KEY, { start: 5, end: 7 })) pieces.push(piece as Buffer);
    expect(Buffer.concat(pieces).toString()).toBe("and");
    await files.delete(KEY);
    await files.delete(KEY);
    await expect(files.sizeBytes(KEY)).rejects.toMatchObject({ code: "not_found" });
  });

  it("that the control API put are read by a gateway", async () => {
    const storage = await open();
    await openStoredFiles(storage).put(KEY, BYTES);
    const read = openTrackFiles(storage, join(storage.dataDir, "recordings"));
    expect(Buffer.from(await read(KEY))).toEqual(BYTES);
    await expect(read("tracks/org_1/trk_2.wav")).rejects.toThrow();
  });
});
