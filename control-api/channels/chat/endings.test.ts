import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AwayBus } from "../../../testkit/away-bus.ts";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { timesRecorded } from "../../../testkit/call-events.ts";
import { TestChats } from "../../../testkit/chat.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 90_000 };

const MINUTE_MS = 60_000;
/** Several sweeps. */
const SWEPT = { timeout: 90_000 };

const away = new AwayBus();
let webhooks: TestWebhooks;
let chats: TestChats;
let answer: (turn: BrainTurn) => void;

const hello = (turn: BrainTurn): void => {
  turn.token("Hello.");
  turn.done();
};

beforeAll(async () => {
  webhooks = await TestWebhooks.start({ bus: away.bus });
  chats = await TestChats.start(webhooks.api, (turn) => answer(turn));
});
afterAll(async () => {
  chats.close();
  await webhooks.close();
});

/** How often a chat's end was recorded. */
const ends = (sessionId: string) => timesRecorded(webhooks.api.database, sessionId, "call.ended");

async function begin(): Promise<string> {
  answer = hello;
  return (await chats.say("Hello?")).sessionId;
}

/** As a process leaves a chat that dies while it generates a reply. */
async function dieWhileGenerating(sessionId: string, turns: number): Promise<void> {
  const lease = {
    lease_id: "req_of_the_dead",
    lease_until: new Date(webhooks.clock.wallMs() + 15_000),
    turns,
  };
  await webhooks.api.database.db
    .updateTable("chats")
    .set(lease)
    .where("session_id", "=", sessionId)
    .execute();
}

describe("an idle chat", () => {
  it("is over after half an hour, and is finalized once", async () => {
    const { receiver } = await webhooks.endpoint(chats.organization, { events: ["call.ended"] });
    const sessionId = await begin();
    webhooks.clock.step(29 * MINUTE_MS);
    expect((await chats.say("Still there?", { sessionId })).status).toBe(200);
    webhooks.clock.step(31 * MINUTE_MS);
    const refused = await chats.say("Hello again", { sessionId });
    expect(refused).toMatchObject({
      status: 410,
      body: { error: expect.stringContaining("without sessionId") },
    });
    expect((await chats.messages(sessionId)).body.status).toBe("ended");
    await expect.poll(() => receiver.received.length, SWEPT).toBe(1);
    const ended = JSON.parse(receiver.received[0]?.body ?? "");
    expect(ended).toMatchObject({
      event: "call.ended",
      sessionId,
      channel: "chat",
      endReason: "chat_idle",
    });
    // To the sweep that finalized it.
    expect(ended.durationSecs).toBeGreaterThanOrEqual(3_600);
    expect(await ends(sessionId)).toBe(1);
  });

  it("is over after a day, however much is written in it", async () => {
    const sessionId = await begin();
    for (let i = 0; i < 49; i++) {
      webhooks.clock.step(29 * MINUTE_MS);
      expect((await chats.say("More", { sessionId })).status).toBe(200);
    }
    webhooks.clock.step(29 * MINUTE_MS);
    expect((await chats.say("More", { sessionId })).status).toBe(410);
    await expect.poll(async () => (await chats.record(sessionId)).endReason, SWEPT).toBe("max_duration");
  });
});

describe("ending a chat", () => {
  it("twenty times at once ends it once", async () => {
    const sessionId = await begin();
    const answers = await Promise.all(Array.from({ length: 20 }, () => chats.end(sessionId)));
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({ status: 200, body: { sessionId, status: "ended" } });
    }
    expect((await chats.end(sessionId)).status).toBe(200);
    expect((await chats.say("Hello?", { sessionId })).status).toBe(410);
    await expect.poll(() => ends(sessionId), SOON).toBe(1);
    expect(await chats.record(sessionId)).toMatchObject({ status: "completed", endReason: "api_request" });
  });

  it("while a reply is generated lets that one be finished and kept", async () => {
    const sessionId = await begin();
    let held: BrainTurn | undefined;
    answer = (turn) => {
      held = turn;
    };
    const last = chats.say("One last thing", { sessionId });
    await expect.poll(() => held, SOON).toBeDefined();
    expect((await chats.end(sessionId)).status).toBe(200);
    expect((await chats.say("Another", { sessionId })).status).toBe(410);
    hello(held as BrainTurn);
    expect((await last).body).toMatchObject({ turn: 2, reply: "Hello." });
    await expect.poll(() => ends(sessionId), SOON).toBe(1);
    expect((await chats.messages(sessionId)).body.messages).toHaveLength(4);
  });
});

describe("DELETE /api/sessions/{id} of a chat", () => {
  const remove = (sessionId: string) =>
    webhooks.api.call("DELETE", `/api/sessions/${sessionId}`, { key: chats.organization.keys.developer });

  it("ends it once, and is a 404 after that as for a call", async () => {
    const sessionId = await begin();
    expect(await remove(sessionId)).toMatchObject({
      status: 200,
      body: { data: { sessionId, status: "ended" } },
    });
    expect(await remove(sessionId)).toMatchObject({ status: 404, body: { code: "session_ended" } });
    expect((await chats.say("Hello?", { sessionId })).status).toBe(410);
    await expect.poll(() => ends(sessionId), SOON).toBe(1);
    expect(await chats.record(sessionId)).toMatchObject({ status: "completed", endReason: "api_request" });
    expect((await remove(sessionId)).status).toBe(404);
  });

  it("of another organization is a 404, and ends nothing", async () => {
    const sessionId = await begin();
    const other = await webhooks.api.createOrganization();
    const path = `/api/sessions/${sessionId}`;
    expect((await webhooks.api.call("DELETE", path, { key: other.keys.owner })).status).toBe(404);
    expect((await chats.say("Still there?", { sessionId })).status).toBe(200);
  });
});

describe("a process that dies while it generates a reply", () => {
  it("keeps the chat for as long as its lease lasts, and no longer", async () => {
    const sessionId = await begin();
    await dieWhileGenerating(sessionId, 1);
    expect((await chats.say("Hello?", { sessionId })).status).toBe(409);
    webhooks.clock.step(15_001);
    expect((await chats.say("Hello?", { sessionId })).body).toMatchObject({ turn: 2 });
  });

  it("on the first turn leaves a chat that is finalized as lost", async () => {
    const sessionId = await begin();
    await dieWhileGenerating(sessionId, 0);
    webhooks.clock.step(15_001);
    await expect.poll(() => ends(sessionId), SWEPT).toBe(1);
    expect(await chats.record(sessionId)).toMatchObject({ status: "failed", endReason: "node_lost" });
  });
});

describe("a bus that is away", () => {
  it("holds up no chat, and what was said is recorded once when it is back", async () => {
    const { receiver } = await webhooks.endpoint(chats.organization);
    away.isAway = true;
    const sessionId = await begin();
    expect((await chats.say("And now?", { sessionId })).body.turn).toBe(2);
    expect((await chats.end(sessionId)).status).toBe(200);
    expect((await chats.messages(sessionId)).body.messages).toHaveLength(4);
    expect((await chats.record(sessionId)).transcript).toEqual([]);
    away.isAway = false;
    webhooks.clock.step(10_001);
    await expect.poll(() => receiver.received.length, SWEPT).toBe(6);
    webhooks.clock.step(10_001);
    const held = webhooks.api.database.db
      .selectFrom("chats")
      .select("held_events")
      .where("session_id", "=", sessionId);
    await expect.poll(async () => (await held.executeTakeFirst())?.held_events, SWEPT).toEqual([]);
    expect((await chats.record(sessionId)).transcript).toHaveLength(4);
    expect(receiver.received).toHaveLength(6);
  });
});
