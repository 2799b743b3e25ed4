import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventsIn, readStreamed, TestChats } from "../../../testkit/chat.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { ChatModel } from "../../../testkit/fakes/chat-completions.ts";
import { chat, contentsOf, lookTool, serve } from "../../../testkit/model-brain.ts";

const SOON = { timeout: 90_000 };
const API_KEY = "sk-of-the-customer";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ isEmbedded: true, allowPrivateTargets: ["127.0.0.0/8"] });
});
afterAll(() => api.close());

/** Looks when it is asked for a table; tries to hang up when it is thanked. */
const model: ChatModel = ({ messages }) => {
  const { role, content } = messages.at(-1) ?? {};
  if (role === "tool") return { text: String(content).includes("18:00") ? "Yes, at six." : "Goodbye, Ada." };
  if (content === "Any table?")
    return { text: "One moment. ", calls: [{ name: "look", arguments: '{"day":"today"}' }] };
  if (content === "Thank you") return { calls: [{ name: "end_call", arguments: "{}" }] };
  return { text: "Hello Ada." };
};

/** An agent that is a model with a tool of its customer's; what both were asked. */
async function modelChats() {
  const used: unknown[] = [];
  const shop = await serve(({ headers }, response, body) => {
    used.push({ identifier: headers["x-service-identifier"], body });
    response.writeHead(200, { "content-type": "application/json" }).end('{"free":["18:00"]}');
  });
  const fake = await chat(model, API_KEY);
  const chats = await TestChats.start(api, () => undefined);
  onTestFinished(() => chats.close());
  const tools = [
    lookTool({ url: `${shop}/tables`, sendIdentifier: true }),
    { kind: "end_call" },
    { kind: "play_keys" },
    { kind: "transfer", destinations: [{ name: "sales", number: "+12025550150" }] },
  ];
  const prompt = "You talk to {name}.";
  await chats.change({ brain: { kind: "model", model: "m", prompt, url: fake.url, secret: API_KEY, tools } });
  return { chats, fake, used };
}

type Reply = Record<string, unknown>;
type Say = (chats: TestChats, input: string, over: Record<string, unknown>) => Promise<Reply>;

const atOnce: Say = async (chats, input, over) => {
  const { status, body } = await chats.say(input, over);
  expect(status).toBe(200);
  return body;
};

/** The same as its events tell it: the pieces of the reply make up the whole, and each tool is told of. */
const streamed: Say = async (chats, input, over) => {
  const { agentId, keys } = chats.organization;
  const { text } = await readStreamed(api, "/api/v1/chat", {
    headers: { "x-api-key": keys.viewer },
    body: { agentId, identifier: "customer-7", input, ...over },
  });
  const events = eventsIn(text);
  const done = events.at(-1)?.[1] ?? {};
  const of = (name: string) => events.filter(([event]) => event === name).map(([, data]) => data);
  expect(events.at(-1)?.[0]).toBe("done");
  expect(
    of("token")
      .map((token) => token.text)
      .join(""),
  ).toBe(done.reply);
  expect(of("tool")).toEqual(done.toolCalls);
  return done;
};

describe("a chat of three turns with a model", () => {
  it.each<[string, Say]>([
    ["whose replies come at once", atOnce],
    ["whose replies are streamed", streamed],
  ])("%s knows its prompt and what was said, uses its tool, and cannot hang up", async (_how, say) => {
    const { chats, fake, used } = await modelChats();
    const variables = { name: "Ada" };
    const first = await say(chats, "Hello?", { variables });
    const sessionId = String(first.sessionId);
    expect(first).toEqual({
      sessionId,
      identifier: "customer-7",
      turn: 1,
      reply: "Hello Ada.",
      toolCalls: [],
    });
    const look = {
      name: "look",
      arguments: { day: "today" },
      result: { free: ["18:00"] },
      status: "success",
      latencyMs: expect.any(Number),
    };
    expect(await say(chats, "Any table?", { sessionId })).toEqual({
      sessionId,
      identifier: "customer-7",
      turn: 2,
      reply: "One moment. Yes, at six.",
      toolCalls: [look],
    });
    expect(used).toEqual([{ identifier: "customer-7", body: '{"day":"today"}' }]);
    const bye = await say(chats, "Thank you", { sessionId });
    expect(bye).toMatchObject({ turn: 3, reply: "Goodbye, Ada.", toolCalls: [{ status: "not_found" }] });
    expect(bye).not.toHaveProperty("ended");

    const said = [
      "user: Hello?",
      "assistant: Hello Ada.",
      "user: Any table?",
      "assistant: One moment. Yes, at six.",
      "user: Thank you",
    ];
    expect(contentsOf(fake.asked[3])).toEqual(["system: You talk to Ada.", ...said]);
    for (const { tools } of fake.asked)
      expect(tools?.map(({ function: { name } }) => name)).toEqual(["look"]);
    expect(new Set(fake.authorizations)).toEqual(new Set([`Bearer ${API_KEY}`]));

    const { messages } = (await chats.messages(sessionId)).body as { messages: Record<string, string>[] };
    expect(messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      ...said,
      "assistant: Goodbye, Ada.",
    ]);
    const tools = async () =>
      ((await chats.record(sessionId)).tools as { name: string }[]).map(({ name }) => name);
    await expect.poll(tools, SOON).toEqual(["look", "end_call"]);
  });
});

it("counts what a model used for a message that came to nothing, once, although the chat goes with it", async () => {
  const usage = { choices: [], usage: { prompt_tokens: 41, completion_tokens: 7 } };
  const blank = { choices: [{ delta: { content: " " } }] };
  const url = await serve((_request, response) => {
    const stream = [JSON.stringify(blank), JSON.stringify(usage), "[DONE]"].map(
      (data) => `data: ${data}\n\n`,
    );
    response.writeHead(200, { "content-type": "text/event-stream" }).end(stream.join(""));
  });
  const chats = await TestChats.start(api, () => undefined);
  onTestFinished(() => chats.close());
  await chats.change({ brain: { kind: "model", model: "m-of-failed-turns", prompt: "Be kind.", url } });
  expect((await chats.say("Hello?", {})).status).toBe(502);
  const used = await api.database.db
    .selectFrom("usage_rows")
    .select(["metric", "quantity", "channel", "agent_id"])
    .where("org_id", "=", chats.organization.orgId)
    .orderBy("metric")
    .execute();
  expect(used).toMatchObject([
    { metric: "llm_input_tokens", quantity: "41", channel: "chat" },
    { metric: "llm_output_tokens", quantity: "7", channel: "chat" },
  ]);
});

describe("a model that answers with nothing that can be read", () => {
  const unreadable = JSON.stringify({
    choices: [{ delta: { tool_calls: [{ function: { arguments: {} } }] } }],
  });
  it.each([
    ["an empty stream", "data: [DONE]\n\n"],
    ["no event at all", ""],
    ["chunks of another shape only", `data: ${unreadable}\n\ndata: [DONE]\n\n`],
    [
      "blanks only",
      `data: ${JSON.stringify({ choices: [{ delta: { content: " " } }] })}\n\ndata: [DONE]\n\n`,
    ],
  ])("such as %s, is an error and no empty reply", async (_what, stream) => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(stream);
    });
    const chats = await TestChats.start(api, () => undefined);
    onTestFinished(() => chats.close());
    await chats.change({ brain: { kind: "model", model: "m", prompt: "Be kind.", url } });
    const { status, body } = await chats.say("Hello?", {});
    expect([status, body.code]).toEqual([502, "brain_failed"]);
  });
});
