import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import type { ChatModel } from "../testkit/fakes/chat-completions.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { Everything, McpFake } from "../testkit/mcp-servers.ts";
import { chat } from "../testkit/model-brain.ts";
import { TestReceiver } from "../testkit/receiver.ts";
import { remoteShop, type SeenByShop } from "../testkit/remote-shop.ts";

const SOON = { timeout: 90_000 };

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

/** Calls the tool that it hears of, with the number it hears; says what came of it. */
const model: ChatModel = ({ messages, tools = [] }) => {
  const { role, content } = messages.at(-1) ?? {};
  const said = String(content);
  if (role === "tool") {
    if (said.includes("confirmation")) return { text: "Shall I?" };
    const result: unknown = JSON.parse(said);
    return { text: typeof result === "string" ? result : said };
  }
  const isOrder = (text: unknown) => tools.some(({ function: { name } }) => String(text).startsWith(name));
  const asked = /^yes/i.test(said) ? String(messages.findLast((one) => isOrder(one.content))?.content) : said;
  const named = tools.find(({ function: { name } }) => asked.startsWith(name));
  if (!named) return { text: "All right." };
  const [, number] = /(\d+)/.exec(asked) ?? [];
  const { name } = named.function;
  return { calls: [{ name, arguments: JSON.stringify(number ? { number } : {}) }] };
};

/** An organization whose agent is a model with tools of the server at `url`, and whoever gets its webhooks. */
async function keeperOf(url: string, tools: readonly (object & { name: string })[]) {
  const fake = await chat(model);
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  const bound = tools.map((tool) => ({ kind: "mcp", config: { url }, ...tool }));
  const { orgId, agentId, keys } = chats.organization;
  const save = (changed: readonly object[]) => {
    const brain = { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools: changed };
    return api.call("PATCH", `/api/agents/${agentId}`, { key: keys.developer, body: { brain } });
  };
  const saved = await save(bound);
  expect(saved.status, saved.text).toBe(200);
  const receiver = await TestReceiver.answering(200);
  onTestFinished(() => receiver.close());
  const body = { url: receiver.url, events: ["tool.invoked"] };
  await api.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
  const told = () =>
    receiver.received
      .map((hook) => JSON.parse(hook.body) as Record<string, unknown>)
      .map(({ name, status, result }) => ({ name, status, result }));
  const phone = async () => {
    const created = await api.call("POST", "/api/sessions/init-web-call", {
      key: keys.owner,
      body: { agentId },
    });
    const { websocketUrl, sessionId } = created.body.data as { websocketUrl: string; sessionId: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const hears = async (text: string) => {
      caller.send({ type: "text", text });
      return (await caller.said("assistant")).text;
    };
    return { caller, hears, sessionId };
  };
  return { chats, fake, save, bound, told, phone };
}

const at = (name: string, tool: string) => ({ name, config: { tool } });

/** A shop's server of the era of 2026, and what it saw. */
async function shop() {
  const seen: SeenByShop = { canceled: [], begun: () => undefined, ended: () => undefined };
  const server = await McpFake.start({ tools: () => remoteShop(seen) });
  onTestFinished(() => server.close());
  const tools = [at("find", "order.find"), at("cancel", "order.cancel"), at("wait", "order.wait")].map(
    ({ name, config }) => ({ name, config: { ...config, url: server.url } }),
  );
  return { seen, server, tools };
}

it("a call finds an order on a remote server, cancels one after a yes, and tells of a server that fails", async () => {
  const { seen, server, tools } = await shop();
  const keeper = await keeperOf(server.url, tools);
  const { caller, hears, sessionId } = await keeper.phone();
  expect(await hears("find 1001")).toBe("Order 1001 is on its way.");
  expect(await hears("cancel 1001")).toBe("Shall I?");
  expect(seen.canceled).toEqual([]);
  expect(await hears("Yes, please.")).toBe("Order 1001 is canceled.");
  expect(seen.canceled).toEqual(["1001"]);
  expect(await hears("find 13")).toContain("The shop is closed.");
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  await expect.poll(() => keeper.told().length, SOON).toBe(4);
  expect(keeper.told()).toMatchObject([
    { name: "find", status: "success", result: "Order 1001 is on its way." },
    { name: "cancel", status: "confirmation_required" },
    { name: "cancel", status: "success" },
    { name: "find", status: "error", result: { error: { code: "tool_error" } } },
  ]);
  const record = async () => (await keeper.chats.record(sessionId)).tools as { status: string }[];
  await expect
    .poll(async () => (await record()).map(({ status }) => status), SOON)
    .toEqual(["success", "confirmation_required", "success", "error"]);
});

it("a caller who speaks meanwhile gives the server's tool up", async () => {
  const { seen, server, tools } = await shop();
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  Object.assign(seen, { begun: begun.resolve, ended: ended.resolve });
  const keeper = await keeperOf(server.url, tools);
  const { caller } = await keeper.phone();
  caller.send({ type: "text", text: "wait" });
  await begun.promise;
  caller.send({ type: "text", text: "Never mind." });
  await ended.promise;
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  await expect.poll(keeper.told, SOON).toMatchObject([{ name: "wait", status: "abandoned" }]);
});

it("a chat does the same; the model has the server's words, and lists its tools once", async () => {
  const { server, tools } = await shop();
  const { chats, fake } = await keeperOf(server.url, [
    ...tools.slice(0, 1),
    { ...at("ask", "order.ask"), config: { url: server.url, tool: "order.ask" } },
  ]);
  const { sessionId, body } = await chats.say("find 7");
  expect(body).toMatchObject({
    reply: "Order 7 is on its way.",
    toolCalls: [{ status: "success" }],
  });
  expect(fake.asked[0]?.tools?.[0]?.function).toMatchObject({
    name: "find",
    description: "Finds an order.",
    parameters: { properties: { number: { type: "string" } }, required: ["number"] },
  });
  const form = await chats.say("ask", { sessionId });
  expect(form.body).toMatchObject({
    toolCalls: [{ status: "error", result: { error: { code: "input_required" } } }],
  });
  expect(server.seen.filter(({ rpc }) => rpc === "tools/list")).toHaveLength(1);
});

it("a server of the era of 2025 is called the same way", async () => {
  const everything = await Everything.start();
  onTestFinished(() => everything.close());
  const sum = {
    name: "sum",
    config: { url: everything.url, tool: "get-sum" },
    confirm: false,
    bind: { a: 1, b: 2 },
  };
  const { chats, fake } = await keeperOf(everything.url, [sum]);
  const { body } = await chats.say("sum");
  expect(body.reply).toContain("The sum of 1 and 2 is 3.");
  expect(fake.asked[0]?.tools?.[0]?.function.parameters.properties).toEqual({});
});

it("tools are held against what the server has when the agent is saved", async () => {
  const { server, tools } = await shop();
  const { save } = await keeperOf(server.url, tools);
  const bad = async (config: object, more: object = {}) =>
    (await save([{ kind: "mcp", name: "x", config, ...more }])).text;
  expect(await bad({ url: server.url, tool: "order.fly" })).toContain("the server has no tool order.fly");
  expect(await bad({ url: server.url, tool: "order.find" }, { bind: { color: "red" } })).toContain("bind");
  expect(await bad({ url: "http://127.0.0.1:1/mcp" })).toContain("brain.tools.0.config.url");
  expect(await bad({ url: "http://10.0.0.1/mcp" })).toContain("The address is private or reserved");
  expect(await bad({ mcpConnectionId: "mcp_nobody" })).toContain("brain.tools.0.config.mcpConnectionId");
  expect(await bad({ tool: "order.find" })).toContain("either mcpConnectionId or url");
});
