import { EVENT_CATALOG, isEventName } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { BrainTurn } from "../../../testkit/brain.ts";
import { TestChats } from "../../../testkit/chat.ts";
import { TestWebhooks } from "../../../testkit/webhooks.ts";
import { NAUGHTY_STRINGS } from "../../../tests/security/naughty-strings.ts";

/** Other processes have this machine, too. */
const SOON = { timeout: 90_000 };

let webhooks: TestWebhooks;
let chats: TestChats;
let answer: (turn: BrainTurn) => void;

const saying =
  (...tokens: string[]) =>
  (turn: BrainTurn): void => {
    for (const token of tokens) turn.token(token);
    turn.done();
  };
const failing = (turn: BrainTurn): void => void turn.res.writeHead(500).end();

beforeAll(async () => {
  webhooks = await TestWebhooks.start();
  chats = await TestChats.start(webhooks.api, (turn) => answer(turn));
});
afterAll(async () => {
  chats.close();
  await webhooks.close();
});

describe("a chat of three turns", () => {
  it("books a table: the agent answers, uses a tool, says goodbye, and webhooks tell of it like of a call", async () => {
    const { receiver } = await webhooks.endpoint(chats.organization, { includeTranscript: true });
    const table = { name: "book_table", arguments: { people: 2 }, result: { booked: true } };
    answer = (turn) => {
      const { query } = turn.request;
      if (query === "Hello?") return saying("Hello", ", I am Anna.")(turn);
      if (query.includes("table")) {
        turn.control({ event: "dtmf", digits: "1#" });
        turn.control({ event: "tool", ...table, status: "success", latencyMs: 12.6 });
        return saying("It is booked.")(turn);
      }
      turn.token("You are welcome.");
      turn.control({ event: "call_end", farewell: "Goodbye!" });
    };

    const hello = await chats.say("Hello?", { variables: { name: "Ada" } });
    const { sessionId } = hello;
    expect(hello.status).toBe(200);
    expect(hello.body).toEqual({
      sessionId,
      identifier: "customer-7",
      turn: 1,
      reply: "Hello, I am Anna.",
      toolCalls: [],
    });

    const booked = await chats.say("A table for two, please", { sessionId });
    const used = { ...table, status: "success", latencyMs: 13 };
    expect(booked.body).toMatchObject({ turn: 2, reply: "It is booked.", toolCalls: [used] });

    const bye = await chats.say("Thank you", { session_id: sessionId });
    expect(bye.body).toMatchObject({ turn: 3, reply: "You are welcome. Goodbye!", ended: true });
    expect(await chats.say("One more thing", { sessionId })).toMatchObject({
      status: 410,
      body: { code: "gone", error: expect.stringContaining("without sessionId") },
    });

    const spoken = [
      ["user", "Hello?"],
      ["assistant", "Hello, I am Anna."],
      ["user", "A table for two, please"],
      ["assistant", "It is booked."],
      ["user", "Thank you"],
      ["assistant", "You are welcome. Goodbye!"],
    ].map(([role, text]) => ({ role, text, at: expect.any(String) }));
    const read = await chats.messages(sessionId);
    expect(read.body).toEqual({ sessionId, status: "ended", messages: spoken });

    // started, six texts, one tool, ended
    await expect.poll(() => receiver.received.length, { timeout: 90_000 }).toBe(9);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    for (const body of bodies) {
      if (!isEventName(String(body.event))) throw new Error(`${body.event} is not in the catalog`);
      expect(EVENT_CATALOG[body.event as "call.started"].schema.parse(body)).toEqual(body);
      expect(body).toMatchObject({ sessionId, identifier: "customer-7" });
    }
    const of = (name: string) => bodies.filter(({ event }) => event === name);
    const shared = { channel: "chat", direction: "web", callSid: null, fromNumber: null, toNumber: null };
    expect(of("call.started")).toMatchObject([{ ...shared, variables: { name: "Ada" } }]);
    expect(of("tool.invoked")).toMatchObject([used]);
    expect(of("call.ended")).toMatchObject([
      { ...shared, endReason: "agent_end_call", messageCount: 6, transcript: spoken },
    ]);
    expect(await chats.record(sessionId)).toMatchObject({
      channel: "chat",
      status: "completed",
      identifier: "customer-7",
      endReason: "agent_end_call",
      recording: null,
      tools: [used],
    });
  });
});

describe("what the brain is asked", () => {
  it("has the message, the turn, and the variables as the first turn froze them, the eleven of time included", async () => {
    answer = saying("Yes.");
    const before = chats.brain.turns.length;
    const { sessionId } = await chats.say("One", { variables: { name: "Ada" } });
    await chats.say("Two", { sessionId, variables: { name: "Eve" } });
    const [one, two] = chats.brain.turns.slice(before).map(({ request }) => request);
    const { userId } = chats.organization;
    expect(one).toMatchObject({ query: "One", turn: 1, sessionId, name: "Ada", channel: "chat", userId });
    expect(
      Object.keys(one ?? {}).filter((name) => /^(current|today|tomorrow|yesterday)_/.test(name)),
    ).toHaveLength(11);
    expect(two).toEqual({ ...one, query: "Two", turn: 2 });
  });
});

describe("a message", () => {
  const AGENT = "agt_of_nobody";
  it.each<[string, Record<string, unknown>, number, RegExp]>([
    ["without an agent", { agentId: undefined }, 400, /agentId/],
    ["with two agents", { agent_id: AGENT }, 400, /agentId/],
    ["for an agent of nobody", { agentId: AGENT }, 404, /no agent agt_of_nobody/],
    ["without an identifier", { identifier: undefined }, 400, /identifier/],
    ["of nobody", { identifier: "" }, 400, /identifier/],
    ["of somebody with 129 characters", { identifier: "x".repeat(129) }, 400, /identifier/],
    ["without an input", { input: undefined }, 400, /input/],
    ["that is no text", { input: 7 }, 400, /input/],
    ["that says nothing", { input: "" }, 400, /input/],
    ["of blanks", { input: " \n" }, 400, /input/],
    ["of 16,001 characters", { input: "x".repeat(16_001) }, 400, /input/],
    ["in a session of nobody", { sessionId: "ses_none" }, 404, /without sessionId|Leave sessionId out/],
    ["in two sessions", { sessionId: "ses_1", session_id: "ses_2" }, 400, /sessionId/],
    ["in an empty session", { sessionId: "" }, 400, /sessionId/],
    ["with a variable of 4,001 characters", { variables: { n: "x".repeat(4_001) } }, 400, /variables\.n/],
    ["with a variable that is no text", { variables: { n: 1 } }, 400, /variables/],
    ["with a field nobody asked for", { stream: true }, 400, /stream/],
  ])("%s is refused with what to change", async (_what, over, status, error) => {
    const refused = await chats.say("Hello?", over);
    expect(refused).toMatchObject({ status, body: { success: false, error: expect.stringMatching(error) } });
  });

  it("of 16,000 characters by somebody with 128 is answered", async () => {
    answer = saying("I see.");
    const answered = await chats.say("x".repeat(16_000), { identifier: "y".repeat(128) });
    expect(answered.status).toBe(200);
  });
});

describe("an agent that requires a variable", () => {
  it("begins no chat without it, names it, and asks for it on the first turn only", async () => {
    const variables = [{ name: "order_id", required: true }, { name: "nickname" }];
    const own = await TestChats.start(webhooks.api, saying("Hello."), { variables });
    onTestFinished(() => own.close());
    for (const given of [undefined, { nickname: "Ada" }, { order_id: " " }]) {
      const refused = await own.say("Hello?", { variables: given });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: "validation_failed", details: { missingVariables: ["order_id"] } },
      });
      expect(refused.body.error).toContain("variables.order_id");
    }
    expect(own.brain.turns).toEqual([]);
    const { sessionId, status } = await own.say("Hello?", { variables: { order_id: "7" } });
    expect(status).toBe(200);
    expect((await own.say("And now?", { sessionId })).body).toMatchObject({ turn: 2 });
  });
});

describe("an agent with API access off", () => {
  it("answers no key, at the beginning of a chat and in the middle of one, until it is on again", async () => {
    const own = await TestChats.start(webhooks.api, saying("Hello."));
    onTestFinished(() => own.close());
    const { sessionId } = await own.say("Hello?");
    await own.change({ apiAccess: false });
    const off = { status: 403, body: { success: false, code: "api_access_off" } };
    for (const key of Object.values(own.organization.keys)) {
      expect(await own.say("Hello?", {}, { key })).toMatchObject(off);
      expect(await own.say("Are you there?", { sessionId }, { key })).toMatchObject(off);
    }
    const headers = { accept: "text/event-stream" };
    expect(await own.say("Hello?", {}, { headers })).toMatchObject(off);
    expect(own.brain.turns).toHaveLength(1);
    await own.change({ apiAccess: true });
    expect((await own.say("Are you there?", { sessionId })).body).toMatchObject({ turn: 2 });
  });
});

describe("a session", () => {
  it("is that of its identifier, agent and organization: for any other it does not exist", async () => {
    answer = saying("Hello.");
    const { sessionId } = await chats.say("Hello?");
    const stranger = await TestChats.start(webhooks.api, saying("Hi."));
    try {
      expect((await chats.say("Me", { sessionId, identifier: "customer-8" })).status).toBe(404);
      const { agentId } = stranger.organization;
      expect((await stranger.say("Me", { sessionId })).status).toBe(404);
      expect((await chats.say("Me", { sessionId, agentId })).status).toBe(404);
      expect((await stranger.messages(sessionId)).status).toBe(404);
      expect((await stranger.end(sessionId)).status).toBe(404);
      expect((await chats.say("Me", { sessionId })).body.turn).toBe(2);
    } finally {
      stranger.close();
    }
  });

  it("of a voice call is no chat", async () => {
    const sessionId = await webhooks.startCall(chats.organization);
    expect((await chats.say("Hello?", { sessionId })).status).toBe(404);
    expect((await chats.end(sessionId)).status).toBe(404);
  });

  it("takes one message at a time: another is told to wait, and changes nothing", async () => {
    let held: BrainTurn | undefined;
    answer = saying("Hello.");
    const { sessionId } = await chats.say("Hello?");
    answer = (turn) => {
      held = turn;
    };
    const slow = chats.say("Slow", { sessionId });
    await expect.poll(() => held, SOON).toBeDefined();
    const second = await chats.say("Impatient", { sessionId });
    expect(second).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    saying("Done.")(held as BrainTurn);
    expect((await slow).body).toMatchObject({ turn: 2, reply: "Done." });
    answer = saying("Yes?");
    expect((await chats.say("Impatient", { sessionId })).body).toMatchObject({ turn: 3 });
  });
});

describe("a brain that fails", () => {
  it("is a 502, and the turn is as if it had not been asked", async () => {
    answer = saying("Hello.");
    const { sessionId } = await chats.say("Hello?");
    answer = failing;
    expect(await chats.say("Are you there?", { sessionId })).toMatchObject({
      status: 502,
      body: { success: false, code: "brain_failed" },
    });
    answer = saying("I am.");
    expect((await chats.say("Are you there?", { sessionId })).body).toMatchObject({
      turn: 2,
      reply: "I am.",
    });
    const { messages } = (await chats.messages(sessionId)).body as { messages: { text: string }[] };
    expect(messages.map(({ text }) => text)).toEqual(["Hello?", "Hello.", "Are you there?", "I am."]);
  });

  it("on the first turn leaves no call behind", async () => {
    const { db } = webhooks.api.database;
    const count = () => db.selectFrom("calls").select("id").execute();
    const before = (await count()).length;
    answer = failing;
    expect((await chats.say("Hello?")).status).toBe(502);
    expect(await count()).toHaveLength(before);
  });

  it.each<[string, (turn: BrainTurn) => void, string]>([
    [
      "breaks off in the middle",
      (turn) => {
        turn.token("Hel");
        turn.res.destroy();
      },
      "brain_failed",
    ],
    ["never stops", saying("x".repeat(64_001)), "response_too_large"],
    [
      "uses enormous tools",
      (turn) => {
        for (let i = 0; i < 3; i++) turn.control({ event: "tool", name: "t", result: "x".repeat(1_000_000) });
        turn.done();
      },
      "response_too_large",
    ],
  ])("because it %s is a 502", async (_what, how, code) => {
    answer = how;
    expect(await chats.say("Hello?")).toMatchObject({ status: 502, body: { code } });
  });

  it("because it may not be called is told without its address", async () => {
    const url = "http://10.0.0.1/secret-path";
    const blocked = await TestChats.start(webhooks.api, failing, { brain: { url } });
    const refused = await blocked.say("Hello?");
    expect(refused).toMatchObject({ status: 502, body: { code: "brain_failed" } });
    expect(refused.text).not.toContain("secret-path");
    blocked.close();
  });
});

describe("naughty text", () => {
  it("goes to the brain and into the transcript as it is", async () => {
    answer = (turn) => saying(turn.request.query)(turn);
    for (const naughty of NAUGHTY_STRINGS) {
      const sent = await chats.say(naughty, { variables: { name: naughty.slice(0, 4_000) } });
      expect([200, 400], naughty.slice(0, 40)).toContain(sent.status);
      if (sent.status === 200) expect(sent.body.reply).toBe(naughty.trim());
    }
    expect(webhooks.api.logged.filter((line) => /"level":(50|60)/.test(line))).toEqual([]);
  });

  it("of a brain, which Postgres would not store, is cleaned", async () => {
    answer = (turn) => {
      turn.control({ event: "tool", name: "a\0b", arguments: { "k\0": ["v\0", "\ud800"] }, result: "\0" });
      saying("He\0llo \ud83d", "\ude00 \ud800")(turn);
    };
    const { body, sessionId } = await chats.say("Hello?");
    expect(body).toMatchObject({
      reply: "He\ufffdllo 😀 \ufffd",
      toolCalls: [{ name: "a\ufffdb", arguments: { "k\ufffd": ["v\ufffd", "\ufffd"] }, result: "\ufffd" }],
    });
    await expect.poll(async () => (await chats.record(sessionId)).tools, SOON).toHaveLength(1);
  });
});
