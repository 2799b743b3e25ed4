import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { WavWriter } from "@parley/media/wav/wav-writer.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { CALL_EVENTS_STREAM } from "@parley/shared/contracts/call-events.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TestBucket } from "../../../testkit/bucket.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { startJobRunner } from "../../../testkit/jobs.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { compressesRecordings, deleteReplaced } from "./compress.ts";
import { openStoredFiles, type StoredFiles } from "./stored-files.ts";

const log = createLogger({ level: "silent", format: "json", name: "test" });
const SECOND = 16_000;

/** Three seconds of two tones: the caller's 300 Hz, the agent's 500 Hz. */
function stereoWav(): Buffer {
  const samples = Int16Array.from({ length: 2 * 3 * SECOND }, (_, index) => {
    const at = Math.floor(index / 2) / SECOND;
    return 8_000 * Math.sin(2 * Math.PI * (index % 2 === 0 ? 300 : 500) * at);
  });
  let file = Buffer.alloc(0);
  const sink = {
    write: (bytes: Uint8Array) => {
      file = Buffer.concat([file, bytes]);
    },
    writeSilence: (bytes: number) => sink.write(new Uint8Array(bytes)),
    rewriteAt: (offset: number, bytes: Uint8Array) => file.set(bytes, offset),
  };
  const writer = new WavWriter({ sink, sampleRateHz: SECOND, channels: 2 });
  writer.write(samples);
  writer.finish();
  return file;
}

const WAV = stereoWav();
let api: TestControlApi;
let acme: TestOrganization;
beforeAll(async () => {
  api = await TestControlApi.start();
  await api.registerNode({ maxCalls: 100 });
  acme = await api.createOrganization();
});
afterAll(() => api.close());

const recorded = (wav: Buffer = WAV): Promise<KeptCall> =>
  keepCall(api, acme, { wav, durationMs: 3_000, identifier: "Ada" });
const oggOf = ({ path }: KeptCall): string => path.replace(/wav$/, "ogg");
const rowOf = async ({ recordingId }: KeptCall) =>
  (await api.database.db.selectFrom("recordings").selectAll().execute()).find(({ id }) => id === recordingId);
const jobOf = async ({ recordingId }: KeptCall) =>
  (await api.database.db.selectFrom("jobs").selectAll().execute()).find(({ id }) => id.endsWith(recordingId));
const files = () => openStoredFiles(loadConfig({ DATA_DIR: api.dataDir }).storage);

/** As a process whose clock is a while later, until the job of `call` has run. */
async function compress(call: KeptCall, recordings: StoredFiles = files()): Promise<void> {
  await vi.waitUntil(async () => (await jobOf(call))?.state === "waiting", 90_000);
  const clock = new ManualClock(Date.now() + 120_000);
  const handler = compressesRecordings({ database: api.database, recordings, clock, log });
  const { runner } = startJobRunner([handler], { database: api.database, clock });
  try {
    const hasRun = async () => {
      const { attempts = 0, state } = (await jobOf(call)) ?? {};
      return attempts > 0 && state !== "running";
    };
    await vi.waitUntil(hasRun, 90_000);
  } finally {
    await runner.stop();
  }
}

const deleteWavs = (clock = new ManualClock(Date.now() + 600_000)) =>
  deleteReplaced({ database: api.database, recordings: files(), clock, log });
const listen = async (call: KeptCall, query = "", headers: Record<string, string> = {}) => {
  const url = `${api.api.baseUrl}/api/v1/calls/${call.sessionId}/recording${query}`;
  const answer = await fetch(url, { headers: { "x-api-key": acme.keys.viewer, ...headers } });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};

describe("a recording that was compressed", () => {
  let call: KeptCall;
  beforeAll(async () => {
    call = await recorded();
    await compress(call);
  });

  it("keeps its WAV file until nobody reads it any more", async () => {
    expect(await rowOf(call)).toMatchObject({
      key: expect.stringMatching(/\.ogg$/),
      size_bytes: String(WAV.length),
    });
    await deleteWavs(new ManualClock(Date.now()));
    expect(existsSync(call.path)).toBe(true);
    await deleteWavs();
    expect(existsSync(call.path)).toBe(false);
    expect(await rowOf(call)).toMatchObject({ compressed_at: null });
  });

  it("is heard as the WAV file it was, whole and in parts", async () => {
    const { answer, bytes } = await listen(call);
    expect(answer.headers.get("content-type")).toBe("audio/wav");
    expect(bytes).toHaveLength(WAV.length);
    expect(bytes.subarray(0, 44)).toEqual(WAV.subarray(0, 44));
    const part = await listen(call, "", { range: "bytes=100001-164000" });
    expect(part.answer.status).toBe(206);
    expect(part.answer.headers.get("content-range")).toBe(`bytes 100001-164000/${WAV.length}`);
    expect(part.bytes).toEqual(bytes.subarray(100_001, 164_001));
  });

  it("is heard as it is kept by who asks for that", async () => {
    const { answer, bytes } = await listen(call, "?format=opus");
    expect(answer.headers.get("content-type")).toBe("audio/ogg");
    expect(answer.headers.get("content-disposition")).toBe(`inline; filename="${call.recordingId}.ogg"`);
    expect(bytes).toEqual(await readFile(oggOf(call)));
    expect(bytes.length).toBeLessThan(WAV.length / 8);
  });

  it("is drawn by the peaks of the sound as it was", async () => {
    const { body } = await api.call("GET", `/api/v1/calls/${call.sessionId}/waveform`, {
      key: acme.keys.viewer,
    });
    expect(body).toMatchObject({ points: 1_000 });
    for (const channel of body.channels as number[][]) expect(Math.max(...channel)).toBe(32);
  });

  it("is in the export of its caller", async () => {
    const admin = await memberOnly(api, acme.orgId, "admin");
    const path = `/api/orgs/${acme.orgId}/personal-data/export?identifier=Ada`;
    const answer = await fetch(`${api.api.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${admin.accessToken}`, "x-org-id": acme.orgId },
    });
    const names = Object.keys(unzipSync(new Uint8Array(await answer.arrayBuffer())));
    expect(names).toContain(`recordings/${call.sessionId}-${call.recordingId}.ogg`);
  });

  it("is announced again by a recovery, and stays what it is", async () => {
    const { key, ...row } = (await rowOf(call)) ?? { key: "" };
    const again = { type: "recording.ready", recordingId: call.recordingId, key: key.replace("ogg", "wav") };
    const about = { id: "evt_again", seq: 900, sessionId: call.sessionId, orgId: acme.orgId };
    const at = new Date().toISOString();
    await api.bus.streams.append(
      CALL_EVENTS_STREAM,
      JSON.stringify({ ...again, ...about, at, durationMs: 3_000, sizeBytes: WAV.length }),
    );
    const isRecorded = () =>
      api.database.db.selectFrom("call_events").select("id").where("id", "=", "evt_again").execute();
    await expect.poll(isRecorded).toHaveLength(1);
    expect(await rowOf(call)).toEqual({ ...row, key });
  });

  it("is erased in each form", async () => {
    const both = await recorded();
    await compress(both);
    expect([existsSync(both.path), existsSync(oggOf(both))]).toEqual([true, true]);
    await api.call("DELETE", `/api/orgs/${acme.orgId}/recordings/${both.recordingId}`, {
      key: acme.keys.owner,
    });
    expect([existsSync(both.path), existsSync(oggOf(both))]).toEqual([false, false]);
  });
});

describe("a recording that is not compressed", () => {
  it("stays as it was written while its organization is held", async () => {
    const call = await recorded();
    const hold = (legal_hold: boolean) =>
      api.database.db.updateTable("organizations").set({ legal_hold }).where("id", "=", acme.orgId).execute();
    await hold(true);
    await compress(call);
    await hold(false);
    expect(await rowOf(call)).toMatchObject({ key: expect.stringMatching(/\.wav$/), compressed_at: null });
    expect((await listen(call, "?format=opus")).answer.headers.get("content-type")).toBe("audio/wav");
  });

  it("because no gateway wrote its file is left as it is", async () => {
    const call = await recorded(Buffer.from(`RIFF, not sound ${"x".repeat(100)}`));
    await compress(call);
    expect(await jobOf(call)).toMatchObject({ state: "done" });
    expect(await rowOf(call)).toMatchObject({ key: expect.stringMatching(/\.wav$/) });
  });

  it("because it was erased while it was compressed leaves nothing behind, nor what a run left that died", async () => {
    const call = await recorded();
    const recordings = files();
    let oggKey = "";
    await compress(call, {
      ...recordings,
      put: async (key, bytes) => {
        oggKey = key;
        const path = `/api/orgs/${acme.orgId}/recordings/${call.recordingId}`;
        await api.call("DELETE", path, { key: acme.keys.owner });
        await recordings.put(key, bytes);
      },
    });
    expect([existsSync(call.path), existsSync(oggOf(call))]).toEqual([false, false]);
    await recordings.put(oggKey, WAV);
    const again = { due_at: new Date(), state: "waiting" as const, attempts: 0 };
    await api.database.db
      .updateTable("jobs")
      .set(again)
      .where("id", "like", `%${call.recordingId}`)
      .execute();
    await compress(call);
    expect(existsSync(oggOf(call))).toBe(false);
  });

  it("because the compressed file could not be stored keeps its WAV file", async () => {
    const call = await recorded();
    await compress(call, { ...files(), put: () => Promise.reject(new Error("the disk is full")) });
    expect(await rowOf(call)).toMatchObject({ key: expect.stringMatching(/\.wav$/) });
    expect(existsSync(call.path)).toBe(true);
  });
});

it("a bucket's recording is compressed in the bucket", async () => {
  const bucket = await TestBucket.start();
  try {
    const inBucket = openStoredFiles({ ...loadConfig({ DATA_DIR: "/nowhere" }).storage, s3: bucket.address });
    const call = await recorded();
    const { key = "" } = (await rowOf(call)) ?? {};
    await inBucket.put(key, WAV);
    await compress(call, inBucket);
    expect(await inBucket.sizeBytes(key.replace("wav", "ogg"))).toBeLessThan(WAV.length / 8);
  } finally {
    bucket.close();
  }
});
