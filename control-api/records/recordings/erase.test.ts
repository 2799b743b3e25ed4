import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { WAV_HEADER_BYTES } from "@parley/media/wav/left-off.ts";
import { loadConfig } from "@parley/shared/config/config.ts";
import { CALL_EVENTS_STREAM, PROJECTOR_GROUP } from "@parley/shared/contracts/call-events.ts";
import type { Role } from "@parley/shared/contracts/roles.ts";
import { newId } from "@parley/shared/ids.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { eraseContent } from "../../../testkit/erase-content.ts";
import { type KeptCall, keepCall } from "../../../testkit/kept-call.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { eraseOverdue } from "./erase-overdue.ts";
import { openStoredFiles, type StoredFiles } from "./stored-files.ts";
import { Waveforms } from "./waveforms.ts";

const DAY_MS = 86_400_000;
const WORD = "xylophone";
const log = createLogger({ level: "silent", format: "json", name: "test" });

let api: TestControlApi;
let acme: TestOrganization;
let receiver: TestReceiver;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  await api.registerNode({ maxCalls: 1_000 });
  acme = await api.createOrganization();
  receiver = await TestReceiver.answering(200);
  const body = { url: receiver.url, includeTranscript: true };
  await api.call("POST", `/api/orgs/${acme.orgId}/webhooks`, { key: acme.keys.owner, body });
});
afterAll(async () => {
  await api.close();
  await receiver.close();
});

const secretCall = (): Promise<KeptCall> =>
  keepCall(api, acme, { said: [`My ${WORD} is blue`], wav: Buffer.from(`RIFF ${WORD} ${"x".repeat(100)}`) });
const erase = (path: string, role: Role = "owner") =>
  api.call("DELETE", `/api/orgs/${acme.orgId}/${path}`, { key: acme.keys[role] });
const recordOf = async ({ sessionId }: KeptCall) =>
  (await api.call("GET", `/api/v1/calls/${sessionId}`, { key: acme.keys.viewer })).body;

/** Where a word stands: in any column of any table, in any file, on the bus. */
async function placesOf(word: string): Promise<string[]> {
  const { db } = api.database;
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const places: string[] = [];
  for (const { name } of rows) {
    const found = await sql`select 1 from ${sql.table(name)} t where t::text like ${`%${word}%`}`.execute(db);
    if (found.rows.length > 0) places.push(`table ${name}`);
  }
  for (const entry of readdirSync(api.dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && readFileSync(path).includes(word)) places.push(`file ${entry.name}`);
  }
  if ((await api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)) > 0) places.push("the bus");
  return places;
}

async function hold(isHeld: boolean): Promise<void> {
  const change = api.database.db.updateTable("organizations").set({ legal_hold: isHeld });
  await change.where("id", "=", acme.orgId).execute();
}

describe("deleting what was said in a call", () => {
  it("leaves no copy in the database, on disk or on the bus, and the call's own record", async () => {
    const call = await secretCall();
    await expect.poll(() => receiver.received.some(({ body }) => body.includes("call.ended"))).toBe(true);
    expect(await placesOf(WORD)).toEqual(
      expect.arrayContaining([
        "table call_messages",
        "table call_events",
        "table webhook_deliveries",
        `file ${basename(call.path)}`,
      ]),
    );
    const answer = await erase(`calls/${call.sessionId}/content`);
    expect(answer).toMatchObject({ status: 200, body: { data: { sessionId: call.sessionId } } });
    expect(await placesOf(WORD)).toEqual([]);
    expect(existsSync(call.path)).toBe(false);
    expect(await recordOf(call)).toMatchObject({ status: "completed", transcript: [], recording: null });
    const audit = await api.database.db
      .selectFrom("audit_events")
      .select("details")
      .where("action", "=", "call_content.deleted")
      .execute();
    expect(audit.map(({ details }) => details)).toEqual([{ sessionId: call.sessionId }]);
  });

  it("takes the notes about it along, and nothing is noted down afterwards", async () => {
    const call = await secretCall();
    const note = () =>
      api.call("PATCH", `/api/orgs/${acme.orgId}/calls/${call.sessionId}`, {
        key: acme.keys.owner,
        body: { notes: `He plays the ${WORD}.` },
      });
    expect((await note()).status).toBe(200);
    expect(await placesOf(WORD)).toContain("table calls");
    await erase(`calls/${call.sessionId}/content`);
    expect(await note()).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(await placesOf(WORD)).toEqual([]);
  });

  it("counts for what comes late, too", async () => {
    const call = await secretCall();
    await erase(`calls/${call.sessionId}/content`);
    const about = { sessionId: call.sessionId, orgId: acme.orgId, at: new Date().toISOString(), seq: 99 };
    const late = {
      type: "call.message",
      turn: 9,
      role: "user",
      text: `late ${WORD}`,
      interrupted: false,
      source: "text",
    };
    await api.bus.streams.append(CALL_EVENTS_STREAM, JSON.stringify({ id: newId("evt"), ...about, ...late }));
    await expect.poll(() => api.bus.streams.backlog(CALL_EVENTS_STREAM, PROJECTOR_GROUP)).toBe(0);
    expect(await placesOf(WORD)).toEqual([]);
  });

  it("leaves nothing of a chat either, of what its next reply would have been told", async () => {
    const chats = await TestChats.start(api, (turn) => {
      turn.token(`Your ${WORD} is red`);
      turn.done();
    });
    const { sessionId } = await chats.say("What is red?");
    await chats.end(sessionId);
    await expect.poll(async () => (await chats.record(sessionId)).status).toBe("completed");
    // As a client leaves it who goes away in mid-reply.
    const interrupted = { text: WORD, interruptedAtMs: 5 };
    const row = api.database.db.updateTable("chats").where("session_id", "=", sessionId);
    await row.set({ heard: JSON.stringify(interrupted) }).execute();
    expect(await placesOf(WORD)).toEqual(expect.arrayContaining(["table chats", "table call_messages"]));
    const { orgId, keys } = chats.organization;
    const path = `/api/orgs/${orgId}/calls/${sessionId}/content`;
    expect((await api.call("DELETE", path, { key: keys.owner })).status).toBe(200);
    expect(await placesOf(WORD)).toEqual([]);
    chats.close();
  });

  it("is for writers, after the call, and not under legal hold", async () => {
    const call = await secretCall();
    expect((await erase(`calls/${call.sessionId}/content`, "member")).status).toBe(403);
    await hold(true);
    for (const path of [`calls/${call.sessionId}/content`, `recordings/${call.recordingId}`]) {
      expect(await erase(path)).toMatchObject({ status: 409, body: { code: "conflict" } });
    }
    await hold(false);
    expect((await recordOf(call)).recording).not.toBeNull();
    expect((await erase(`recordings/${call.recordingId}`, "developer")).status).toBe(200);
    const created = await api.call("POST", "/api/sessions/init-web-call", {
      key: acme.keys.owner,
      body: { agentId: acme.agentId },
    });
    const { sessionId } = created.body.data as { sessionId: string };
    expect((await erase(`calls/${sessionId}/content`)).status).toBe(409);
    expect((await erase("calls/ses_none/content")).status).toBe(404);
  });
});

describe("deleting a recording", () => {
  it("ends its links and its waveform, and keeps the transcript", async () => {
    const call = await keepCall(api, acme);
    const { url } = (await recordOf(call)).recording as { url: string };
    const waveform = `/api/v1/calls/${call.sessionId}/waveform`;
    const drawn = await api.call("GET", waveform, { key: acme.keys.viewer });
    expect(drawn.body).toMatchObject({ points: 1_000, channels: [expect.any(Array)] });
    expect((await erase(`recordings/${call.recordingId}`)).status).toBe(200);
    expect((await fetch(url)).status).toBe(404);
    expect((await api.call("GET", waveform, { key: acme.keys.viewer })).status).toBe(404);
    expect(existsSync(call.path)).toBe(false);
    expect(await recordOf(call)).toMatchObject({ recording: null, transcript: [{ text: "Hello there" }] });
    expect((await erase(`recordings/${call.recordingId}`)).status).toBe(404);
  });
});

describe("a waveform", () => {
  it("is drawn, and the same for all who ask", async () => {
    const call = await keepCall(api, acme);
    const path = `/api/orgs/${acme.orgId}/calls/${call.sessionId}/waveform`;
    const ask = () => api.call("GET", path, { key: acme.keys.viewer });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const silence = Array.from({ length: 2_000 }, () => 0);
    expect((await ask()).body.data).toEqual({ points: 1_000, channels: [silence] });
  });

  it("is computed once, however many ask at once, and kept", async () => {
    const call = await keepCall(api, acme);
    const stored = openStoredFiles(loadConfig({ DATA_DIR: api.dataDir }).storage);
    const opened: number[] = [];
    const recordings: StoredFiles = {
      ...stored,
      open: (key, range) => {
        opened.push(range.start);
        return stored.open(key, range);
      },
    };
    const deps = { database: api.database, recordings, clock: new ManualClock(Date.now()) };
    const row = api.database.db.selectFrom("recordings").select(["id", "key"]);
    const recording = await row.where("id", "=", call.recordingId).executeTakeFirstOrThrow();
    const waveforms = new Waveforms(deps);
    const [first] = await Promise.all([1, 2, 3].map(() => waveforms.of(recording)));
    // Its header and its audio.
    expect(opened).toEqual([0, WAV_HEADER_BYTES]);
    expect(await new Waveforms(deps).of(recording)).toEqual(first);
    expect(opened).toHaveLength(2);
  });
});

describe("the retention", () => {
  const reapAt = (nowMs: number, defaultDays: number): Promise<void> => {
    const recordings = openStoredFiles(loadConfig({ DATA_DIR: api.dataDir }).storage);
    const clock = new ManualClock(nowMs);
    return eraseOverdue({ eraseContent, database: api.database, recordings, clock, log, defaultDays });
  };
  const isKept = async (call: KeptCall): Promise<boolean> => (await recordOf(call)).recording !== null;

  it("is the installation's where the organization says nothing else, and forever at 0 or under legal hold", async () => {
    const call = await keepCall(api, acme);
    const later = Date.now() + 31 * DAY_MS;
    await reapAt(later, 0);
    expect(await isKept(call)).toBe(true);
    await hold(true);
    await reapAt(later, 30);
    expect(await isKept(call)).toBe(true);
    await hold(false);
    await reapAt(later - 2 * DAY_MS, 30);
    expect(await isKept(call)).toBe(true);
    await reapAt(later, 30);
    expect(await recordOf(call)).toMatchObject({ recording: null, transcript: [] });
    expect(existsSync(call.path)).toBe(false);
  });

  it("is the organization's own where it has one", async () => {
    const call = await keepCall(api, acme);
    const set = (days: number | null) =>
      api.database.db
        .updateTable("organizations")
        .set({ recording_retention_days: days })
        .where("id", "=", acme.orgId)
        .execute();
    await set(0);
    await reapAt(Date.now() + 31 * DAY_MS, 30);
    expect(await isKept(call)).toBe(true);
    await set(2);
    await reapAt(Date.now() + 3 * DAY_MS, 30);
    expect(await isKept(call)).toBe(false);
    await set(null);
  });

  it("finishes what a crash left between the mark and the file", async () => {
    const call = await keepCall(api, acme);
    await api.database.db
      .updateTable("recordings")
      .set({ deleted_at: new Date() })
      .where("id", "=", call.recordingId)
      .execute();
    expect(await isKept(call)).toBe(false);
    await reapAt(Date.now(), 0);
    expect(existsSync(call.path)).toBe(false);
    const rows = api.database.db.selectFrom("recordings").select("id");
    expect(await rows.where("id", "=", call.recordingId).execute()).toEqual([]);
  });
});
