import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalStore } from "./local-store.ts";
import { WriteQueue } from "./write-queue.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-recordings-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("recordings as files", () => {
  it("are written in order, with earlier bytes rewritten", async () => {
    const sink = await createLocalStore(directory).create("org/ses/rec.wav");
    sink.write(Buffer.from("head----"));
    for (let i = 0; i < 100; i++) sink.write(Buffer.from(`${i % 10}`));
    sink.rewriteAt(4, Buffer.from("DONE"));
    expect(await sink.finish()).toEqual({ sizeBytes: 108 });
    const text = await readFile(join(directory, "org/ses/rec.wav"), "utf8");
    expect(text).toBe(`headDONE${"0123456789".repeat(10)}`);
  });

  it("take the bytes before they return, as the writer reuses its buffer", async () => {
    const sink = await createLocalStore(directory).create("reused.wav");
    const buffer = Buffer.from("a");
    sink.write(buffer);
    buffer[0] = 0x62;
    await sink.finish();
    expect(await readFile(join(directory, "reused.wav"), "utf8")).toBe("a");
  });

  it("on a full disk are given up with an error, and writing goes on harmlessly", async () => {
    const queue = new WriteQueue(await open("/dev/full", "w"));
    queue.add(0, Buffer.alloc(10_000));
    queue.add(10_000, Buffer.alloc(10_000));
    const failure = await queue.close();
    expect(failure).toMatchObject({ code: "ENOSPC" });
    queue.add(20_000, Buffer.alloc(10));
  });
});
