import { loadConfig } from "@parley/shared/config/config.ts";
import { createLogger } from "@parley/shared/log.ts";
import { ManualClock } from "@parley/shared/manual-clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { eraseContent } from "../../../testkit/erase-content.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { eraseOverdue } from "../../records/recordings/erase-overdue.ts";
import { openStoredFiles } from "../../records/recordings/stored-files.ts";

const DAY_MS = 86_400_000;
const SOON = { timeout: 90_000 };
const WORD = "xylophone";
const log = createLogger({ level: "silent", format: "json", name: "test" });

let api: TestControlApi;
let chats: TestChats;
let receiver: TestReceiver;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  chats = await TestChats.start(api, (turn) => {
    turn.control({ event: "tool", name: "look", arguments: { for: WORD }, result: WORD });
    turn.token(`What a ${WORD}.`);
    turn.done();
  });
  receiver = await TestReceiver.answering(200);
  const { orgId, keys } = chats.organization;
  const body = { url: receiver.url, includeTranscript: true };
  await api.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
});
afterAll(async () => {
  chats.close();
  await api.close();
  await receiver.close();
});

/** Tables with this word in any column. */
async function tablesWith(word: string): Promise<string[]> {
  const { db } = api.database;
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  const tables: string[] = [];
  for (const { name } of rows) {
    const found = await sql`select 1 from ${sql.table(name)} t where t::text like ${`%${word}%`}`.execute(db);
    if (found.rows.length > 0) tables.push(name);
  }
  return tables;
}

/** A chat that ended, with everything that is kept of one: its variables, what it held, and a kept answer. */
async function endedChat(): Promise<string> {
  const headers = { "idempotency-key": `about-${Math.random()}` };
  const { sessionId } = await chats.say(`My ${WORD}, 4711 0815`, { variables: { thing: WORD } }, { headers });
  await chats.end(sessionId);
  await expect.poll(async () => (await chats.record(sessionId)).status, SOON).toBe("completed");
  await expect
    .poll(() => receiver.received.some(({ body }) => body.includes(sessionId) && body.includes("call.ended")))
    .toBe(true);
  return sessionId;
}

const answersOf = (sessionId: string) =>
  api.database.db
    .selectFrom("idempotent_requests")
    .select("key")
    .where("session_id", "=", sessionId)
    .execute();
const erase = (sessionId: string) =>
  api.call("DELETE", `/api/orgs/${chats.organization.orgId}/calls/${sessionId}/content`, {
    key: chats.organization.keys.owner,
  });

describe("deleting what was said in a chat", () => {
  it("leaves no copy, and the chat's own record", async () => {
    const sessionId = await endedChat();
    expect(await tablesWith(WORD)).toEqual(
      expect.arrayContaining(["calls", "chats", "call_events", "call_messages", "webhook_deliveries"]),
    );
    expect(await answersOf(sessionId)).toHaveLength(1);
    expect((await erase(sessionId)).status).toBe(200);
    expect(await tablesWith(WORD)).toEqual([]);
    expect(await answersOf(sessionId)).toEqual([]);
    const kept = { status: "completed", channel: "chat", transcript: [], tools: [] };
    expect(await chats.record(sessionId)).toMatchObject(kept);
    expect((await chats.messages(sessionId)).body).toEqual({ sessionId, status: "ended", messages: [] });
  });

  it("also by the retention, and not under legal hold or while it goes on", async () => {
    const { sessionId: open } = await chats.say("Hello?");
    expect((await erase(open)).status).toBe(409);
    await chats.end(open);
    const sessionId = await endedChat();
    const hold = (isHeld: boolean) =>
      api.database.db
        .updateTable("organizations")
        .set({ legal_hold: isHeld })
        .where("id", "=", chats.organization.orgId)
        .execute();
    const reap = () => {
      const recordings = openStoredFiles(loadConfig({ DATA_DIR: api.dataDir }).storage);
      const clock = new ManualClock(Date.now() + 31 * DAY_MS);
      return eraseOverdue({ eraseContent, database: api.database, recordings, clock, log, defaultDays: 30 });
    };
    await hold(true);
    expect((await erase(sessionId)).status).toBe(409);
    await reap();
    expect((await chats.messages(sessionId)).body.messages).toHaveLength(2);
    await hold(false);
    await reap();
    expect(await tablesWith(WORD)).toEqual([]);
    expect((await chats.messages(sessionId)).body.messages).toEqual([]);
  });
});
