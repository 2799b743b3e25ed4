import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { encodeWav } from "@parley/media/wav/encode-wav.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import {
  TRACK_MAX_BYTES,
  TRACKS_MAX,
  TRACKS_MAX_BYTES,
  type Track,
} from "@parley/shared/contracts/tracks.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { memberOnly } from "../../../testkit/members.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { sendTrack, uploadTrack } from "../../../testkit/tracks.ts";
import { openStoredFiles } from "../recordings/stored-files.ts";
import { sweepTracks } from "./tracks.ts";

const SECOND = Buffer.from(encodeWav(new Int16Array(8_000), 8_000));
const MINUTE_MS = 60_000;
const log = createLogger({ level: "silent", format: "json", name: "test" });

let api: TestControlApi;
let acme: TestOrganization;
beforeAll(async () => {
  api = await TestControlApi.start();
  acme = await api.createOrganization();
});
afterAll(() => api.close());

const pathOf = ({ orgId }: TestOrganization, rest = "") => `/api/orgs/${orgId}/ambient-tracks${rest}`;
const fileOf = ({ orgId }: TestOrganization, id: string) =>
  join(api.dataDir, "recordings", "tracks", orgId, `${id}.wav`);
const upload = (to: TestOrganization, wav: Uint8Array = SECOND, name = "Music") =>
  uploadTrack(api, { orgId: to.orgId, key: to.keys.developer, wav, name });
const send = (to: TestOrganization, wav: Uint8Array, contentType?: string) =>
  sendTrack(api, { orgId: to.orgId, key: to.keys.developer, wav, ...(contentType ? { contentType } : {}) });
const listOf = async (of: TestOrganization): Promise<{ tracks: Track[]; total: number; usedBytes: number }> =>
  (await api.call("GET", pathOf(of), { key: of.keys.viewer })).body.data as never;

/** The header of a mono file of 16 bits; `changes` are written over it, at their offsets. */
function wavWith(changes: Readonly<Record<number, number>>): Buffer {
  const wav = Buffer.from(SECOND);
  for (const [offset, value] of Object.entries(changes)) wav.writeUInt16LE(value, Number(offset));
  return wav;
}

describe("a track", () => {
  it("is uploaded, listed, renamed, listened to in parts, and deleted with its file", async () => {
    const org = await api.createOrganization();
    const made = await upload(org, SECOND, " Hold music ");
    expect(made).toMatchObject({
      id: expect.stringMatching(/^trk_/),
      name: "Hold music",
      durationMs: 1_000,
      sizeBytes: SECOND.length,
      sampleRateHz: 8_000,
      channels: 1,
    });
    expect(await listOf(org)).toEqual({
      tracks: [made],
      total: 1,
      usedBytes: SECOND.length,
      maxBytes: TRACKS_MAX_BYTES,
    });
    const track = pathOf(org, `/${made.id}`);
    const key = org.keys.developer;
    const renamed = await api.call("PATCH", track, { key, body: { name: "Waiting" } });
    expect(renamed.body.data).toEqual({ ...made, name: "Waiting" });
    const viewer = await memberOnly(api, org.orgId, "viewer");
    const as = { token: viewer.accessToken, orgId: org.orgId, headers: { range: "bytes=0-3" } };
    const part = await api.call("GET", `${track}/audio`, as);
    expect([part.status, part.text]).toEqual([206, "RIFF"]);
    expect((await api.call("DELETE", track, { key })).body.data).toEqual({ id: made.id });
    expect(existsSync(fileOf(org, made.id))).toBe(false);
    expect(await listOf(org)).toMatchObject({ tracks: [], usedBytes: 0 });
    for (const [method, path, body] of [
      ["GET", `${track}/audio`, undefined],
      ["PATCH", track, { name: "x" }],
      ["DELETE", track, undefined],
    ] as const) {
      expect((await api.call(method, path, { key, ...(body ? { body } : {}) })).status).toBe(404);
    }
  });

  it("is the organization's own", async () => {
    const made = await upload(acme);
    const other = await api.createOrganization();
    const key = other.keys.owner;
    expect(await listOf(other)).toMatchObject({ tracks: [] });
    expect((await api.call("GET", pathOf(other, `/${made.id}/audio`), { key })).status).toBe(404);
    expect((await api.call("DELETE", pathOf(other, `/${made.id}`), { key })).status).toBe(404);
    expect((await api.call("GET", pathOf(acme, `/${made.id}/audio`), { key })).status).toBe(403);
  });

  it.each(["audio/wav", "audio/x-wav", "audio/wave", "audio/wav; codecs=1"])(
    "is taken as %s",
    async (type) => {
      expect((await send(acme, SECOND, type)).status).toBe(201);
    },
  );

  it("stays under legal hold", async () => {
    const org = await api.createOrganization();
    const made = await upload(org);
    await api.database.db
      .updateTable("organizations")
      .set({ legal_hold: true })
      .where("id", "=", org.orgId)
      .execute();
    const path = pathOf(org, `/${made.id}`);
    expect((await api.call("DELETE", path, { key: org.keys.owner })).status).toBe(409);
    expect(existsSync(fileOf(org, made.id))).toBe(true);
  });
});

describe("an upload", () => {
  it.each([
    ["no WAV file", Buffer.from("<html>"), 400, "not a WAV file"],
    ["nothing", Buffer.alloc(0), 400, "not a WAV file"],
    ["no sound", Buffer.from(encodeWav(new Int16Array(0), 8_000)), 400, "no sound"],
    ["no data chunk", SECOND.subarray(0, 36), 400, "no data chunk"],
    ["8 bits a sample", wavWith({ 34: 8 }), 415, "convert it to 16-bit PCM"],
    ["another format", wavWith({ 20: 7 }), 415, "format 7"],
    ["no channel", wavWith({ 22: 0 }), 400, "0 channels"],
    ["a rate nobody has", Buffer.from(encodeWav(new Int16Array(100), 1_000)), 400, "1000 Hz"],
    [
      "eleven minutes",
      Buffer.from(encodeWav(new Int16Array(4_000 * 660), 4_000)),
      400,
      "660 s; 600 s is the most",
    ],
  ])("of %s is refused with what is wrong, and leaves nothing", async (_what, wav, status, named) => {
    const org = await api.createOrganization();
    const refused = await send(org, wav);
    expect(refused).toMatchObject({ status, body: { success: false } });
    expect(refused.body.error).toContain(named);
    expect(
      await api.database.db
        .selectFrom("ambient_tracks")
        .select("id")
        .where("org_id", "=", org.orgId)
        .execute(),
    ).toEqual([]);
  });

  it("that is too large, or no WAV by its type, is refused before it is looked at", async () => {
    expect((await send(acme, Buffer.alloc(TRACK_MAX_BYTES + 1))).status).toBe(413);
    expect((await send(acme, SECOND, "audio/mpeg")).status).toBe(415);
    const json = await api.call("POST", pathOf(acme, "?name=x"), {
      key: acme.keys.owner,
      body: { url: "x" },
    });
    expect(json).toMatchObject({ status: 415, body: { error: expect.stringContaining("audio/wav") } });
  });

  it.each(["", "   ", "x".repeat(129), "a\0b"])("with the name %j is refused", async (name) => {
    const { orgId, keys } = acme;
    expect((await sendTrack(api, { orgId, key: keys.developer, wav: SECOND, name })).status).toBe(400);
  });

  it("beyond the quota is refused, also of several that come at once", async () => {
    const org = await api.createOrganization();
    const row = (sizeBytes: number) => {
      const id = newId("trk");
      const at = new Date();
      const sound = { duration_ms: 1, size_bytes: sizeBytes, sample_rate_hz: 8_000, channels: 1 };
      return { id, org_id: org.orgId, name: "x", key: id, ...sound, created_at: at, hidden_at: null };
    };
    const insert = (sizeBytes: number, times: number) =>
      api.database.db
        .insertInto("ambient_tracks")
        .values(Array.from({ length: times }, () => row(sizeBytes)))
        .execute();
    await insert(1, TRACKS_MAX - 2);
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(org, SECOND)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
    const full = answers.find(({ status }) => status === 409);
    expect(full?.body.error).toContain(`at most ${TRACKS_MAX} tracks; delete one`);
    await api.database.db.deleteFrom("ambient_tracks").where("org_id", "=", org.orgId).execute();
    await insert(TRACKS_MAX_BYTES - SECOND.length + 1, 1);
    expect((await send(org, SECOND)).body.error).toContain("bytes");
  });
});

describe("what an upload or a deletion left behind", () => {
  it("is swept after ten minutes, and shown to nobody before", async () => {
    const org = await api.createOrganization();
    const kept = await upload(org);
    const left = await upload(org);
    await api.database.db
      .updateTable("ambient_tracks")
      .set({ hidden_at: new Date() })
      .where("id", "=", left.id)
      .execute();
    expect((await listOf(org)).tracks).toEqual([kept]);
    const recordings = openStoredFiles(loadConfig({ DATA_DIR: api.dataDir }).storage);
    const sweepAt = (ms: number) =>
      sweepTracks({ database: api.database, recordings, clock: new ManualClock(Date.now() + ms), log });
    await sweepAt(9 * MINUTE_MS);
    expect(existsSync(fileOf(org, left.id))).toBe(true);
    await sweepAt(11 * MINUTE_MS);
    expect(readdirSync(join(api.dataDir, "recordings", "tracks", org.orgId))).toEqual([`${kept.id}.wav`]);
    const rows = api.database.db.selectFrom("ambient_tracks").select("id").where("org_id", "=", org.orgId);
    expect(await rows.execute()).toEqual([{ id: kept.id }]);
  });
});
