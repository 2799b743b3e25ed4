import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import type { ChatModel } from "../testkit/fakes/chat-completions.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { McpFake } from "../testkit/mcp-servers.ts";
import { chat, lookTool, serve } from "../testkit/model-brain.ts";
import { remoteShop } from "../testkit/remote-shop.ts";

let api: TestControlApi;
let gateway: TestGateway;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys });
});
afterAll(async () => {
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
});

const bye = { type: "end", text: "Goodbye, {nick}." };
const name = { type: "ask", text: "Your name?", save: "nick", answer: { type: "text" }, no_answer: "bye" };
const FLOW = flowOf({
  name: { ...name, next: "table" },
  table: {
    ...{ type: "ask", text: "For how many, {nick}?", save: "guests", next: "look", no_answer: "bye" },
    answer: { type: "number", min: 1, max: 8 },
  },
  look: { type: "tool", tool: "look", arguments: { day: "{current_date}" }, next: "bye", failed: "bye" },
  bye,
});

async function flowChats(brain: Record<string, unknown>): Promise<TestChats> {
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  await chats.change({ brain: { kind: "flow", ...brain } });
  return chats;
}

/** A shop that has one table. */
async function shopTool(): Promise<{ tool: object; asked: unknown[] }> {
  const asked: unknown[] = [];
  const url = await serve((_request, response, body) => {
    asked.push(JSON.parse(body));
    response.writeHead(200, { "content-type": "application/json" }).end('{"free":1}');
  });
  return { tool: lookTool({ url: `${url}/tables` }), asked };
}

/** A flow's agent that a test writes to; each reply. */
function talker(chats: TestChats) {
  let sessionId: string | undefined;
  return {
    say: async (input: string) => {
      const { body, status, text } = await chats.say(input, sessionId === undefined ? {} : { sessionId });
      expect(status, text).toBe(200);
      sessionId = String(body.sessionId);
      return body;
    },
    record: () => chats.record(sessionId ?? ""),
  };
}

describe("a chat that follows a flow", () => {
  it("goes on at its node with each message, runs a tool, ends, and its record has the path", async () => {
    const { tool, asked } = await shopTool();
    const chats = await flowChats({ flow: FLOW, tools: [tool] });
    const { say, record } = talker(chats);
    expect((await say("Ada")).reply).toBe("For how many, Ada?");
    expect((await say("lots")).reply).toBe("Sorry, I did not get that. For how many, Ada?");
    expect(await say("four of us")).toMatchObject({ reply: "Goodbye, Ada.", ended: true });
    expect(asked).toEqual([{ day: new Date().toISOString().slice(0, 10) }]);
    await expect.poll(async () => (await record()).endReason).toBe("flow_end");
    const { path, tools } = await record();
    expect(path).toMatchObject([
      { node: "name", turn: 1 },
      { node: "table", turn: 1 },
      { node: "look", turn: 3 },
      { node: "bye", turn: 3 },
    ]);
    expect(tools).toMatchObject([{ name: "look", status: "success", turn: 3 }]);
  });

  it("goes on with the version that it began with, whatever the agent becomes meanwhile", async () => {
    const { tool } = await shopTool();
    const chats = await flowChats({ flow: FLOW, tools: [tool] });
    const { say } = talker(chats);
    await say("Ada");
    await chats.change({ brain: { flow: flowOf({ over: { type: "end", text: "We are closed." } }) } });
    expect((await say("three")).reply).toBe("Goodbye, Ada.");
    expect((await chats.say("Ada")).body).toMatchObject({ reply: "We are closed.", ended: true });
  });

  it("lets a model talk and choose the way, with the key that is meant for it and nothing else", async () => {
    const model: ChatModel = ({ messages }) => {
      const said = messages.at(-1)?.content;
      return said === "Tea, please"
        ? { calls: [{ name: "go_1", arguments: '{"drink":"tea","other":"x"}' }] }
        : { text: "Tea or coffee?" };
    };
    const fake = await chat(model, "sk-flow");
    const flow = flowOf(
      {
        talk: {
          type: "model",
          prompt: "Find out what they drink.",
          next: "bye",
          save: [{ variable: "drink", description: "What" }],
        },
        ready: { type: "end", text: "One {drink}." },
        bye: { type: "end", text: "Bye." },
      },
      { edges: [{ from: "talk", to: "ready", judge: "the caller has said what they drink" }] },
    );
    const chats = await flowChats({ flow, model: "m", url: fake.url, secret: "sk-flow" });
    const { say } = talker(chats);
    expect((await say("Hello")).reply).toBe("Tea or coffee?");
    expect((await say("Tea, please")).reply).toBe("One tea.");
    const [first] = fake.asked;
    expect(first?.messages.map(({ content }) => content)).toEqual(["Find out what they drink.", "Hello"]);
    expect(JSON.stringify(first)).toContain("the caller has said what they drink");
  });
});

describe("an agent whose flow callers would get lost in", () => {
  it("is not saved, and each node that is wrong is named with what to do", async () => {
    const chats = await TestChats.start(api, () => undefined);
    onTestFinished(() => chats.close());
    const { agentId, keys } = chats.organization;
    const flow = flowOf({
      hello: { type: "say", text: "Hi {nick}.", next: "look" },
      look: { type: "tool", tool: "look", next: "hello", failed: "day" },
      day: { type: "ask", text: "When?", save: "day", answer: { type: "date" }, next: "bye" },
      lost: { type: "say", text: "Hm.", next: "bye" },
      bye: { type: "end" },
    });
    const body = { brain: { kind: "flow", flow } };
    const refused = await api.call("PATCH", `/api/agents/${agentId}`, { key: keys.developer, body });
    expect(refused.status).toBe(400);
    const { fields } = refused.body.details as { fields: Record<string, string> };
    const told = (text: string): unknown => expect.stringContaining(text);
    expect(fields).toEqual({
      "brain.flow.nodes.0": told(
        '"hello" → "look" → "hello" goes round without listening to the caller; put a question into it',
      ),
      "brain.flow.nodes.1": told('"look" uses the tool "look", which the agent does not have'),
      "brain.flow.nodes.2": told('"day" leads nowhere when there is no answer; add an edge for no_answer'),
      "brain.flow.nodes.3": told('"lost" is never reached; lead an edge to it, or delete it'),
    });
    expect(fields["brain.flow.nodes.0"]).toContain('"hello" uses {nick}, which nothing before it sets');
    const made = await api.call("POST", "/api/agents", { key: keys.developer, body: { name: "F", ...body } });
    expect(made.status).toBe(400);
    const read = await api.call("GET", `/api/agents/${agentId}`, { key: keys.developer });
    expect(read.body.data).toMatchObject({ version: 1 });
  });

  it("keeps the key of its model's service from going to another address", async () => {
    const flow = flowOf({ bye: { type: "end" } });
    const chats = await flowChats({ flow, model: "m", url: "https://one.example/v1", secret: "sk-1" });
    const { agentId, keys } = chats.organization;
    const body = { brain: { url: "https://two.example/v1" } };
    const { status, text } = await api.call("PATCH", `/api/agents/${agentId}`, { key: keys.developer, body });
    expect([status, text]).toEqual([400, expect.stringContaining("brain.secret")]);
  });
});

/** A call with the agent of these chats. */
async function callTo({ organization }: TestChats) {
  const { agentId, keys } = organization;
  const made = await api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body: { agentId } });
  const { websocketUrl, sessionId } = made.body.data as { websocketUrl: string; sessionId: string };
  return { caller: await TestCaller.start(websocketUrl, { acknowledges: true }), sessionId };
}

it("a call's record has the nodes that its flow came to, in their order", async () => {
  const { tool } = await shopTool();
  const chats = await flowChats({ flow: FLOW, tools: [tool] });
  const { caller, sessionId } = await callTo(chats);
  expect((await caller.said("assistant")).text).toBe("Your name?");
  caller.send({ type: "text", text: "Ada" });
  expect((await caller.said("assistant")).text).toBe("For how many, Ada?");
  caller.send({ type: "text", text: "two" });
  expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
  const record = async () => chats.record(sessionId);
  await expect.poll(async () => (await record()).endReason).toBe("flow_end");
  const { path, agentVersion } = await record();
  expect((path as { node: string }[]).map(({ node }) => node)).toEqual(["name", "table", "look", "bye"]);
  expect(agentVersion).toBe(2);
});

it("a caller presses digits where a node collects them, and goes another way when they cannot be transferred", async () => {
  const flow = flowOf({
    pin: {
      ...{ type: "collect", text: "Your customer number?", save: "pin", next: "known", no_answer: "bye" },
      ...{ minDigits: 4, maxDigits: 4 },
    },
    known: { type: "say", text: "Thank you, {pin}.", next: "desk" },
    desk: { type: "transfer", text: "One moment.", to: "+4930123456", failed: "bye" },
    bye: { type: "end", text: "Nobody is there." },
  });
  const chats = await flowChats({ flow });
  const { caller, sessionId } = await callTo(chats);
  expect((await caller.said("assistant")).text).toBe("Your customer number?");
  for (const digit of "1234") caller.send({ type: "dtmf", digit });
  expect((await caller.said("assistant")).text).toBe("Thank you, 1234. One moment.");
  expect((await caller.said("assistant")).text).toBe("Nobody is there.");
  expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
  await expect
    .poll(async () => (await chats.record(sessionId)).path)
    .toMatchObject([{ node: "pin" }, { node: "known" }, { node: "desk" }, { node: "bye" }]);
});

it("a call's flow asks a connected shop and a remote tool server, and runs what changes something after a yes", async () => {
  const canceled: string[] = [];
  const server = await McpFake.start({
    tools: () => remoteShop({ canceled, begun: () => undefined, ended: () => undefined }),
  });
  onTestFinished(() => server.close());
  const chats = await flowChats({ flow: flowOf({ bye: { type: "end" } }) });
  await chats.connectShop();
  const remote = (name: string, tool: string) => ({ kind: "mcp", name, config: { url: server.url, tool } });
  const tools = [
    { kind: "connector", name: "find", capability: "order.lookup" },
    remote("track", "order.find"),
    remote("cancel", "order.cancel"),
  ];
  const flow = flowOf({
    order: {
      ...{ type: "ask", text: "Which order?", save: "order", next: "find", no_answer: "sorry" },
      answer: { type: "number" },
    },
    find: {
      ...{
        type: "tool",
        tool: "find",
        arguments: { orderNumber: "{order}" },
        next: "track",
        failed: "sorry",
      },
      save: [{ variable: "item", path: "orders.0.items.0.name" }],
    },
    track: {
      ...{ type: "tool", tool: "track", arguments: { number: "{order}" }, next: "told", failed: "sorry" },
      save: [{ variable: "where" }],
    },
    told: { type: "say", text: "{item}. {where}", next: "cancel" },
    cancel: {
      ...{ type: "tool", tool: "cancel", arguments: { number: "{order}" }, confirm: "Shall I cancel it?" },
      ...{ save: [{ variable: "done" }], next: "bye", failed: "sorry" },
    },
    bye: { type: "end", text: "{done}" },
    sorry: { type: "end", text: "I am sorry." },
  });
  await chats.change({ brain: { flow, tools } });
  const { caller, sessionId } = await callTo(chats);
  expect((await caller.said("assistant")).text).toBe("Which order?");
  caller.send({ type: "text", text: "1001" });
  expect((await caller.said("assistant")).text).toBe(
    "Running shoes, size 39. Order 1001 is on its way. Shall I cancel it?",
  );
  expect(canceled).toEqual([]);
  caller.send({ type: "text", text: "Yes, please" });
  expect((await caller.said("assistant")).text).toBe("Order 1001 is canceled.");
  expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
  expect(canceled).toEqual(["1001"]);
  const used = async () =>
    ((await chats.record(sessionId)).tools as { name: string; status: string }[]).map(
      ({ name, status }) => `${name}: ${status}`,
    );
  await expect
    .poll(used)
    .toEqual(["find: success", "track: success", "cancel: confirmation_required", "cancel: success"]);
});
