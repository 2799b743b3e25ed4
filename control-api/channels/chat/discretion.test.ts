import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { TestChats } from "../../../testkit/chat.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";

const SOON = { timeout: 90_000 };
/** Several sweeps. */
const SWEPT = { timeout: 90_000 };
const CARD = /4111[\s\-.]*1111|1111[\s\-.]*1111/;
const TABLES = ["calls", "chats", "call_events", "call_messages", "call_tools", "webhook_deliveries"];

const bus = createMemoryBus({ clock: systemClock });
const onTheBus: string[] = [];
let webhooks: TestWebhooks;
let receiver: TestReceiver;
let chats: TestChats;
let answer: (turn: BrainTurn) => void;

const saying =
  (...tokens: string[]) =>
  (turn: BrainTurn): void => {
    for (const token of tokens) turn.token(token);
    turn.done();
  };

beforeAll(async () => {
  const { streams } = bus;
  webhooks = await TestWebhooks.start({
    bus: {
      channels: bus.channels,
      keys: bus.keys,
      streams: {
        append: (stream, payload, key) => {
          onTheBus.push(payload);
          return streams.append(stream, payload, key);
        },
        lanesOf: (stream) => streams.lanesOf(stream),
        read: (stream, reader) => streams.read(stream, reader),
        ack: (stream, group, ids) => streams.ack(stream, group, ids),
        backlog: (stream, group) => streams.backlog(stream, group),
        isEarlierHeld: (stream, reader, entryId) => streams.isEarlierHeld(stream, reader, entryId),
        list: (stream, options) => streams.list(stream, options),
        remove: (stream, ids) => streams.remove(stream, ids),
        keepNewest: (stream, count) => streams.keepNewest(stream, count),
      },
      isReady: () => true,
      writableForMs: () => bus.writableForMs(),
      outages: () => 0,
      close: () => bus.close(),
    },
  });
  chats = await TestChats.start(webhooks.api, (turn) => answer(turn));
  receiver = await TestReceiver.answering(200);
  const { orgId, keys } = chats.organization;
  const body = { url: receiver.url, includeTranscript: true };
  const created = await webhooks.api.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
  expect(created.status).toBe(201);
});
afterAll(async () => {
  chats.close();
  await webhooks.close();
  await receiver.close();
});

/** Everything that is kept or was sent, of all chats. */
async function traces(): Promise<string> {
  const { db } = webhooks.api.database;
  const rows = await Promise.all(
    TABLES.map((table) => sql`select t::text as row from ${sql.table(table)} t`.execute(db)),
  );
  const sent = receiver.received.map(({ body }) => body);
  return JSON.stringify([rows.map(({ rows }) => rows), onTheBus, sent]);
}

async function textsOf(sessionId: string): Promise<string[]> {
  const { messages } = (await chats.messages(sessionId)).body as { messages: { text: string }[] };
  return messages.map(({ text }) => text);
}

async function webhookOf(sessionId: string, event: string): Promise<Record<string, unknown> | undefined> {
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  return bodies.find((body) => body.sessionId === sessionId && body.event === event);
}

describe("a card number in a chat", () => {
  it("reaches the brain, the tool and the user, and no row, bus or webhook", async () => {
    answer = (turn) => {
      turn.control({
        event: "tool",
        name: "charge",
        arguments: { card: "4111 1111 1111 1111" },
        result: ["paid with 4111111111111111"],
      });
      saying("You wrote 4111 1111", " 1111", " 1111.")(turn);
    };
    const told = await chats.say("My card is 4111 1111 1111 1111.");
    expect(chats.brain.turns.at(-1)?.request.query).toBe("My card is 4111 1111 1111 1111.");
    expect(told.body).toMatchObject({
      reply: "You wrote 4111 1111 1111 1111.",
      toolCalls: [{ arguments: { card: "4111 1111 1111 1111" }, result: ["paid with 4111111111111111"] }],
    });
    await chats.end(told.sessionId);
    expect(await textsOf(told.sessionId)).toEqual(["My card is [card_number].", "You wrote [card_number]."]);
    await expect.poll(() => webhookOf(told.sessionId, "call.ended"), SOON).toBeDefined();
    const all = await traces();
    expect(all).toContain("paid with [card_number]");
    expect(CARD.exec(all)).toBeNull();
  });

  it("in two messages is masked in both, and is nowhere in between", async () => {
    answer = saying("Go on.");
    const { sessionId } = await chats.say("Again, 4111 1111");
    expect(CARD.exec(await traces())).toBeNull();
    expect(await textsOf(sessionId)).toEqual(["Again, [card_number]", "Go on."]);
    await chats.say("1111 1111 it was", { sessionId });
    expect(chats.brain.turns.at(-1)?.request.query).toBe("1111 1111 it was");
    expect(await textsOf(sessionId)).toEqual([
      "Again, [card_number]",
      "Go on.",
      "[card_number] it was",
      "Go on.",
    ]);
    await chats.end(sessionId);
    await expect.poll(() => webhookOf(sessionId, "call.ended"), SOON).toMatchObject({ messageCount: 4 });
    expect(CARD.exec(await traces())).toBeNull();
  });

  it("in a reply that its client broke off is masked in what the brain is told of it later", async () => {
    answer = (turn) => turn.token("You wrote 4111 1111 1111 1111, and");
    const controller = new AbortController();
    const { organization } = chats;
    const response = await fetch(`${webhooks.api.api.baseUrl}/api/v1/chat`, {
      method: "POST",
      signal: controller.signal,
      headers: {
        accept: "text/event-stream",
        "content-type": "application/json",
        "x-api-key": organization.keys.viewer,
      },
      body: JSON.stringify({ agentId: organization.agentId, identifier: "customer-7", input: "Hello?" }),
    });
    let read = "";
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      read += chunk;
      if (read.includes("and")) break;
    }
    const sessionId = /"sessionId":"(\w+)"/.exec(read)?.[1] ?? "";
    controller.abort();
    await expect.poll(() => textsOf(sessionId), SOON).toHaveLength(2);
    expect(CARD.exec(await traces())).toBeNull();
    answer = saying("Yes?");
    await chats.say("Stop", { sessionId });
    const heard = { text: "You wrote [card_number]" };
    expect(chats.brain.turns.at(-1)?.request.heard).toMatchObject(heard);
  });
});

describe("digits that may be the beginning of a card number", () => {
  it("are sent as they are when nobody goes on within a minute, in their order", async () => {
    answer = saying("Thank you.");
    const { sessionId } = await chats.say("My order is 4711 0815");
    await expect.poll(() => webhookOf(sessionId, "call.started"), SOON).toBeDefined();
    expect(await textsOf(sessionId)).toEqual(["My order is [card_number]", "Thank you."]);
    webhooks.clock.step(60_001);
    const recorded = async () => (await chats.record(sessionId)).transcript;
    await expect
      .poll(recorded, SWEPT)
      .toMatchObject([{ text: "My order is 4711 0815" }, { text: "Thank you." }]);
    expect(await textsOf(sessionId)).toEqual(["My order is 4711 0815", "Thank you."]);
  });

  it("that are gone on with after that have only their first part kept", async () => {
    answer = saying("Thank you.");
    const { sessionId } = await chats.say("It is 4111 1111");
    webhooks.clock.step(60_001);
    await expect.poll(() => textsOf(sessionId), SWEPT).toContain("It is 4111 1111");
    await chats.say("1111 1111", { sessionId });
    expect((await textsOf(sessionId)).slice(2)).toEqual(["[card_number]", "Thank you."]);
  });

  it("are sent at once when the chat ends with them", async () => {
    answer = saying("Thank you.");
    const { sessionId } = await chats.say("My order is 4711 0815");
    await chats.end(sessionId);
    const ended = { transcript: [{ text: "My order is 4711 0815" }, { text: "Thank you." }] };
    await expect.poll(() => webhookOf(sessionId, "call.ended"), SOON).toMatchObject(ended);
  });
});

describe("the policy of an organization", () => {
  it("counts for what is written after it was set, also in chats that go on", async () => {
    answer = saying("Yes.");
    const { sessionId } = await chats.say("I am ada@example.com");
    const policy = { country: "US", rules: [{ rule: "email", mask: "<address>" }], patterns: [] };
    await webhooks.api.database.db
      .updateTable("organizations")
      .set({ pii_policy: JSON.stringify(policy) })
      .where("id", "=", chats.organization.orgId)
      .execute();
    await chats.say("Write to ada@example.com", { sessionId });
    expect(await textsOf(sessionId)).toEqual(["I am ada@example.com", "Yes.", "Write to <address>", "Yes."]);
  });
});
