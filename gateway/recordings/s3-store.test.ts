import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { TestBucket } from "../../testkit/bucket.ts";
import { createS3Store } from "./s3-store.ts";

const PART_BYTES = 5 * 1024 * 1024;

async function setUp() {
  const bucket = await TestBucket.start();
  const directory = await mkdtemp(join(tmpdir(), "parley-s3-"));
  onTestFinished(async () => {
    bucket.close();
    await rm(directory, { recursive: true, force: true });
  });
  /** The store of one gateway process; several may share the directory. */
  const openStore = () => createS3Store({ ...bucket.address, directory });
  const onDisk = (): Promise<string[]> => readdir(directory);
  /** What a process that died in mid-call leaves of a recording; gives its size in bytes. */
  const abandon = async (key: string): Promise<number> => {
    const bytes = encodeWav(new Int16Array(8_000), 16_000);
    await writeFile(join(directory, encodeURIComponent(key)), bytes);
    return bytes.length;
  };
  return { bucket, openStore, onDisk, abandon };
}

describe("recordings in a bucket", () => {
  it("are uploaded at the call's end and leave nothing on the disk", async () => {
    const { bucket, openStore, onDisk } = await setUp();
    const sink = await openStore().create("org/ses/rec.wav", () => undefined);
    sink.write(Buffer.from("RIFF----data"));
    sink.rewriteAt(4, Buffer.from("size"));
    expect(await sink.finish()).toEqual({ sizeBytes: 12 });
    expect(bucket.objects.get("/calls/org/ses/rec.wav")?.toString()).toBe("RIFFsizedata");
    expect(await onDisk()).toEqual([]);
  });

  it("longer than a part are uploaded in parts, byte for byte", async () => {
    const { bucket, openStore } = await setUp();
    const sink = await openStore().create("long.wav", () => undefined);
    const audio = Buffer.from(Uint8Array.from({ length: PART_BYTES + 70_000 }, (_, i) => i % 251));
    sink.write(audio);
    await sink.finish();
    expect(bucket.objects.get("/calls/long.wav")?.equals(audio)).toBe(true);
  });

  it("are uploaded again when the store stumbles", async () => {
    const { bucket, openStore } = await setUp();
    bucket.failures = 2;
    const sink = await openStore().create("rec.wav", () => undefined);
    sink.write(Buffer.from("audio"));
    await sink.finish();
    expect([...bucket.objects.keys()]).toEqual(["/calls/rec.wav"]);
  });

  it("that all end together are uploaded a few at a time", async () => {
    const { bucket, openStore } = await setUp();
    const store = openStore();
    const sinks = await Promise.all(
      Array.from({ length: 30 }, (_, n) => store.create(`${n}.wav`, () => undefined)),
    );
    for (const sink of sinks) sink.write(Buffer.alloc(100_000));
    await Promise.all(sinks.map((sink) => sink.finish()));
    expect(bucket.objects.size).toBe(30);
    expect(bucket.mostAtOnce).toBeLessThanOrEqual(4);
  });
});

describe("recordings that were left behind", () => {
  it("by a crash are uploaded when they are recovered, with the length they have", async () => {
    const { bucket, openStore, onDisk, abandon } = await setUp();
    const bytes = await abandon("org/ses/old.wav");
    expect(await openStore().recover("org/ses/old.wav")).toEqual({ durationMs: 500, sizeBytes: bytes });
    expect(bucket.objects.get("/calls/org/ses/old.wav")).toHaveLength(bytes);
    expect(await onDisk()).toEqual([]);
  });

  it("by an upload that failed stay until one succeeds", async () => {
    const { bucket, openStore, onDisk, abandon } = await setUp();
    await abandon("unlucky.wav");
    const store = openStore();
    bucket.failures = 5;
    await expect(store.recover("unlucky.wav")).rejects.toThrow();
    expect(await onDisk()).toEqual(["unlucky.wav"]);
    await store.recover("unlucky.wav");
    expect([...bucket.objects.keys()]).toEqual(["/calls/unlucky.wav"]);
  });

  it("without a trace are nothing to upload", async () => {
    const { bucket, openStore } = await setUp();
    expect(await openStore().recover("never.wav")).toBeUndefined();
    expect(bucket.objects.size).toBe(0);
  });
});
