import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@parley/shared/log.ts";
import { describe, expect, it, onTestFinished } from "vitest";
import { createS3Store } from "./s3-store.ts";

/** As much of S3 as a PUT needs; `failures` requests are answered 503 first. */
async function fakeBucket(failures = 0) {
  const objects = new Map<string, Buffer>();
  let left = failures;
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => chunks.push(chunk));
    req.on("end", () => {
      if (left-- > 0) {
        res.writeHead(503).end();
        return;
      }
      const { pathname } = new URL(req.url ?? "/", "http://s3");
      if (req.method === "PUT") objects.set(pathname, Buffer.concat(chunks));
      res.writeHead(200, { etag: '"1"' }).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const directory = await mkdtemp(join(tmpdir(), "parley-s3-"));
  onTestFinished(async () => {
    server.close().closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });
  const store = createS3Store({
    bucket: "calls",
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKeyId: "id",
    secretAccessKey: "secret",
    directory,
    log: createLogger({ level: "silent", format: "json", name: "test" }),
  });
  const leftBehind = async (): Promise<string[]> =>
    (await readdir(directory, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  return { store, objects, directory, leftBehind };
}

describe("recordings in a bucket", () => {
  it("are uploaded at the call's end and do not stay on the disk", async () => {
    const { store, objects, leftBehind } = await fakeBucket();
    const sink = await store.create("org/ses/rec.wav");
    sink.write(Buffer.from("RIFF----data"));
    sink.rewriteAt(4, Buffer.from("size"));
    expect(await sink.finish()).toEqual({ sizeBytes: 12 });
    expect(objects.get("/calls/org/ses/rec.wav")?.toString()).toContain("RIFFsizedata");
    expect(await leftBehind()).toEqual([]);
  });

  it("are uploaded again when the store stumbles", async () => {
    const { store, objects } = await fakeBucket(2);
    const sink = await store.create("rec.wav");
    sink.write(Buffer.from("audio"));
    await sink.finish();
    expect([...objects.keys()]).toEqual(["/calls/rec.wav"]);
  });

  it("that a crash left behind are uploaded by the next start", async () => {
    const { store, objects, directory, leftBehind } = await fakeBucket();
    await mkdir(join(directory, "org/ses"), { recursive: true });
    await writeFile(join(directory, "org/ses/old.wav"), "left");
    await store.uploadLeftovers();
    expect([...objects.keys()]).toEqual(["/calls/org/ses/old.wav"]);
    expect(await leftBehind()).toEqual([]);
  });
});
