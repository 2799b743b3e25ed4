import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BLOCK_BYTES } from "./disk-messages.ts";
import { DiskWriter } from "./disk-writer.ts";
import { WriteQueue } from "./write-queue.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-disk-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const THREAD = new URL("./disk-thread.ts", import.meta.url);

/** A file, and what a recording in it was told. */
async function recordIn(name: string, path = join(directory, name)) {
  const file = await open(path, "w");
  onTestFinished(() => file.close().catch(() => undefined));
  let waiting = 0;
  const errors: Error[] = [];
  const client = {
    get hasFailed() {
      return errors.length > 0;
    },
    onWritten: (bytes: number, error: Error | undefined) => {
      waiting -= bytes;
      if (error) errors.push(error);
    },
  };
  const write = (writer: DiskWriter, offset: number, bytes: Uint8Array): void => {
    waiting += bytes.length;
    writer.write(client, file.fd, offset, bytes);
  };
  const zeros = (writer: DiskWriter, offset: number, count: number): void => {
    waiting += count;
    writer.writeZeros(client, file.fd, offset, count);
  };
  const written = (): Promise<void> => expect.poll(() => waiting, { timeout: 90_000 }).toBe(0);
  return { write, zeros, written, errors, content: () => readFile(path) };
}

describe("the disk's thread", () => {
  it("writes many recordings in order, however long the pieces are, and silence as zeros", async () => {
    const writer = new DiskWriter();
    const long = Uint8Array.from({ length: 2 * BLOCK_BYTES + 7 }, (_, i) => i % 251);
    const recordings = await Promise.all(Array.from({ length: 20 }, (_, i) => recordIn(`many-${i}`)));
    for (const [i, { write, zeros }] of recordings.entries()) {
      write(writer, 0, Buffer.from("head"));
      write(writer, 4, long);
      zeros(writer, 4 + long.length, 1_000);
      write(writer, 1_004 + long.length, Buffer.from(`end ${i}`));
      write(writer, 0, Buffer.from("HEAD"));
    }
    writer.hurry();
    for (const [i, { written, content, errors }] of recordings.entries()) {
      await written();
      const whole = Buffer.concat([Buffer.from("HEAD"), long, Buffer.alloc(1_000), Buffer.from(`end ${i}`)]);
      expect((await content()).equals(whole)).toBe(true);
      expect(errors).toEqual([]);
    }
  });

  it("tells one recording that its disk is full, and writes the others of the same batch", async () => {
    const writer = new DiskWriter();
    const full = await recordIn("full", "/dev/full");
    const other = await recordIn("other");
    full.write(writer, 0, Buffer.alloc(10));
    other.write(writer, 0, Buffer.from("here"));
    full.write(writer, 10, Buffer.alloc(10));
    await Promise.all([full.written(), other.written()]);
    expect(full.errors).toMatchObject([{ code: "ENOSPC" }]);
    expect((await other.content()).toString()).toBe("here");
  });

  it("that dies is replaced, and what it had is written by the next", async () => {
    let started = 0;
    const writer = new DiskWriter(() => {
      started += 1;
      return started === 1 ? new Worker("process.exit(1)", { eval: true }) : new Worker(THREAD);
    });
    const { write, written, errors, content } = await recordIn("again");
    write(writer, 0, Buffer.from("here"));
    await written();
    expect((await content()).toString()).toBe("here");
    expect({ started, errors }).toEqual({ started: 2, errors: [] });
  });

  it("that always dies costs the recordings, not the process, and the next ones are tried again", async () => {
    let isBroken = true;
    const writer = new DiskWriter(() =>
      isBroken ? new Worker("process.exit(1)", { eval: true }) : new Worker(THREAD),
    );
    const lost = await recordIn("lost");
    lost.write(writer, 0, Buffer.from("gone"));
    await lost.written();
    expect(lost.errors).toHaveLength(1);
    isBroken = false;
    const next = await recordIn("next");
    next.write(writer, 0, Buffer.from("here"));
    await next.written();
    expect((await next.content()).toString()).toBe("here");
  });
});

describe("a recording's queue", () => {
  it("is given up when more waits than the disk can be behind, and its file is closed after the last write", async () => {
    const told: Error[] = [];
    const path = join(directory, "slow");
    const queue = new WriteQueue(await open(path, "w"), (error) => told.push(error));
    for (let i = 0; i < 9; i++) queue.add(i * 1_000_000, Buffer.alloc(1_000_000, 1));
    expect(told).toMatchObject([{ message: "the disk is too slow for this recording" }]);
    expect(await queue.close()).toBe(told[0]);
  });
});
