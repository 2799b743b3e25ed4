import { spawn } from "node:child_process";
import { mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readWav } from "@parley/media/wav/wav-reader.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createLocalStore } from "./local-store.ts";
import { WriteQueue } from "./write-queue.ts";

/** One second of 16-bit stereo at 16 kHz. */
const SECOND_BYTES = 64_000;

const fail = (error: Error): never => {
  throw error;
};

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "parley-recordings-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe("recordings as files", () => {
  it("are written in order, with earlier bytes rewritten", async () => {
    const sink = await createLocalStore(directory).create("org/ses/rec.wav", fail);
    sink.write(Buffer.from("head----"));
    for (let i = 0; i < 100; i++) sink.write(Buffer.from(`${i % 10}`));
    sink.rewriteAt(4, Buffer.from("DONE"));
    expect(await sink.finish()).toEqual({ sizeBytes: 108 });
    const text = await readFile(join(directory, "org/ses/rec.wav"), "utf8");
    expect(text).toBe(`headDONE${"0123456789".repeat(10)}`);
  });

  it("take the bytes before they return, as the writer reuses its buffer", async () => {
    const sink = await createLocalStore(directory).create("reused.wav", fail);
    const buffer = Buffer.from("a");
    sink.write(buffer);
    buffer[0] = 0x62;
    await sink.finish();
    expect(await readFile(join(directory, "reused.wav"), "utf8")).toBe("a");
  });

  it("on a full disk are given up with an error, and writing goes on harmlessly", async () => {
    const told: Error[] = [];
    const queue = new WriteQueue(await open("/dev/full", "w"), (error) => told.push(error));
    queue.add(0, Buffer.alloc(10_000));
    await expect.poll(() => told).toMatchObject([{ code: "ENOSPC" }]);
    queue.add(10_000, Buffer.alloc(10_000));
    const failure = await queue.close();
    expect(failure).toMatchObject({ code: "ENOSPC" });
    queue.add(20_000, Buffer.alloc(10));
    expect(told).toHaveLength(1);
  });

  it("can be played after the process was killed in mid-call", async () => {
    const path = join(directory, "killed.wav");
    const recorder = spawn(process.execPath, ["--input-type=module", "--eval", recordForEver("killed.wav")], {
      stdio: "ignore",
    });
    onTestFinished(() => void recorder.kill("SIGKILL"));
    const sizeBytes = async (): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0;
    await expect.poll(sizeBytes).toBeGreaterThan(3 * SECOND_BYTES);
    const exited = new Promise((resolve) => recorder.once("exit", resolve));
    recorder.kill("SIGKILL");
    await exited;
    const { sampleRateHz, channels, samples } = readWav(await readFile(path));
    expect({ sampleRateHz, channels }).toEqual({ sampleRateHz: 16_000, channels: 2 });
    expect(samples.byteLength).toBeGreaterThan((await sizeBytes()) - SECOND_BYTES);
    expect(new Set(samples)).toEqual(new Set([7]));
  });
});

/** A program that records sevens, a quarter of a second at a time, until it is killed. */
function recordForEver(key: string): string {
  const url = (path: string): string => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);
  return `
    import { createLocalStore } from ${url("local-store.ts")};
    import { WavWriter } from ${url("../../media/wav/wav-writer.ts")};
    const sink = await createLocalStore(${JSON.stringify(directory)}).create(${JSON.stringify(key)}, () => undefined);
    const writer = new WavWriter({ sink, sampleRateHz: 16000, channels: 2 });
    setInterval(() => writer.write(new Int16Array(8000).fill(7)), 10);
  `;
}
