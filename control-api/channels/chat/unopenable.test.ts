import { randomBytes } from "node:crypto";
import { SecretBox } from "@parley/shared/security/secret-box.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestChats } from "../../../testkit/chat.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

/** Several sweeps. */
const SWEPT = { timeout: 90_000 };
const IDLE_MS = 31 * 60_000;
let webhooks: TestWebhooks;
let chats: TestChats;

beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  chats = await TestChats.start(webhooks.api, (turn) => {
    turn.token("Thank you.");
    turn.done();
  });
});
afterAll(async () => {
  chats.close();
  await webhooks.close();
});

async function begin(input: string): Promise<string> {
  return (await chats.say(input)).sessionId;
}

/** As a row is that another version has written. */
async function spoil(sessionId: string): Promise<void> {
  await webhooks.api.database.db
    .updateTable("chats")
    .set({ held_events: JSON.stringify([{ type: "call.sung" }]) })
    .where("session_id", "=", sessionId)
    .execute();
}

async function restore(sessionId: string): Promise<void> {
  await webhooks.api.database.db
    .updateTable("chats")
    .set({ held_events: "[]" })
    .where("session_id", "=", sessionId)
    .execute();
}

/** Puts the row behind all others: a sweep comes to it last. */
async function moveLast(sessionId: string): Promise<void> {
  const { db } = webhooks.api.database;
  await sql`update chats set turns = turns where session_id = ${sessionId}`.execute(db);
}

const endOf = async (sessionId: string) => (await chats.record(sessionId)).endReason;
const warnings = (sessionId: string) =>
  webhooks.api.logged.filter(
    (line) => line.includes(sessionId) && line.includes("failed to end an idle chat"),
  );

describe("a chat that cannot be read", () => {
  it("keeps no other one from being ended or let go, and is ended once it can be", async () => {
    const [spoilt, idle] = [await begin("Hello?"), await begin("Hello?")];
    await spoil(spoilt);
    await moveLast(idle);
    webhooks.clock.step(IDLE_MS);
    const waiting = await begin("My order is 4711 0815");
    webhooks.clock.step(60_001);
    await expect.poll(() => endOf(idle), SWEPT).toBe("chat_idle");
    const transcript = async () => (await chats.record(waiting)).transcript;
    await expect
      .poll(transcript, SWEPT)
      .toMatchObject([{ text: "My order is 4711 0815" }, { text: "Thank you." }]);
    expect(await endOf(spoilt)).toBeNull();
    expect(warnings(spoilt).length).toBeGreaterThan(0);
    await restore(spoilt);
    await expect.poll(() => endOf(spoilt), SWEPT).toBe("chat_idle");
  });
});

describe("a chat that was sealed with a key that is gone", () => {
  it("goes on and comes to its end, without what waited", async () => {
    const sessionId = await begin("My order is 4711 0815");
    const stranger = new SecretBox(`other:${randomBytes(32).toString("base64")}`);
    await webhooks.api.database.db
      .updateTable("chats")
      .set({ unsent: stranger.seal("{}", `chat:${sessionId}:unsent`) })
      .where("session_id", "=", sessionId)
      .execute();
    expect(await chats.say("Still there?", { sessionId })).toMatchObject({ status: 200, body: { turn: 2 } });
    expect((await chats.end(sessionId)).status).toBe(200);
    await expect.poll(() => endOf(sessionId), SWEPT).toBe("api_request");
    const { transcript } = (await chats.record(sessionId)) as { transcript: { text: string }[] };
    expect(transcript.map(({ text }) => text)).toEqual(["Still there?", "Thank you."]);
  });
});
