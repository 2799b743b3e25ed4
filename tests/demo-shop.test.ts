import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { startExampleBrain } from "../examples/brain/server.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import type { ChatModel } from "../testkit/fakes/chat-completions.ts";
import { chat } from "../testkit/model-brain.ts";

let api: TestControlApi;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
});
afterAll(() => api.close());

/** Does what it is told by name: `find_order {"orderNumber":"1001"}`; says what came of it. */
const model: ChatModel = ({ messages }) => {
  const { role, content } = messages.at(-1) ?? {};
  if (role === "tool") return { text: String(content) };
  const order = messages.findLast(
    (message) => message.role === "user" && String(message.content).includes("{"),
  );
  const [, name = "", args = "{}"] = /^(\w+) (\{.*\})/.exec(String(order?.content)) ?? [];
  return { calls: [{ name, arguments: args }] };
};

const MINE = "ada@example.com";
const TOOLS = [
  { kind: "connector", name: "find_order", capability: "order.lookup", bind: { email: MINE } },
  { kind: "connector", name: "appointments", capability: "booking.lookup" },
  { kind: "connector", name: "move", capability: "booking.reschedule" },
];

/** An agent of an organization that has connected the built-in shop. */
async function shopAgent(tools: readonly object[] = TOOLS) {
  const fake = await chat(model);
  const chats = await TestChats.start(api, () => undefined);
  onTestFinished(() => chats.close());
  const { orgId } = chats.organization;
  const connectionId = await chats.connectShop();
  const change = { brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools } };
  return { chats, fake, connectionId, orgId, change };
}

it("an agent looks an order up in the built-in shop, by what its builder has fixed", async () => {
  const { chats, fake, change } = await shopAgent();
  await chats.change(change);
  const found = await chats.say('find_order {"orderNumber":"1001","email":"ben@example.com"}');
  expect(found.body.reply).toContain("Running shoes");
  const [tool] = fake.asked[0]?.tools ?? [];
  expect(Object.keys(tool?.function.parameters.properties as object)).toEqual(["orderNumber", "phone"]);
  const others = await chats.say('find_order {"orderNumber":"1002"}');
  expect(others.body).toMatchObject({ toolCalls: [{ status: "success", result: { orders: [] } }] });
});

it("an appointment is moved when its customer has said yes", async () => {
  const { chats, change } = await shopAgent();
  await chats.change(change);
  const first = await chats.say(`appointments {"email":"${MINE}"}`);
  const { sessionId } = first;
  const [{ result }] = first.body.toolCalls as [{ result: { bookings: { id: string; start: string }[] } }];
  const [booking] = result.bookings;
  const start = new Date(Date.parse(booking?.start ?? "") + 3_600_000).toISOString();
  const move = `move ${JSON.stringify({ id: booking?.id, start })}`;
  expect((await chats.say(move, { sessionId })).body).toMatchObject({
    toolCalls: [{ status: "confirmation_required" }],
  });
  expect((await chats.say("Yes, please.", { sessionId })).body).toMatchObject({
    toolCalls: [{ status: "success", result: { booking: { id: booking?.id, start } } }],
  });
});

it("an appointment that was made in a conversation is erased with it", async () => {
  const { chats, change, connectionId, orgId } = await shopAgent([
    { kind: "connector", name: "book", capability: "booking.create", confirm: false },
  ]);
  await chats.change(change);
  const start = `${new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)}T13:00:00Z`;
  const attendee = { name: "Eve", email: "eve@example.com", timeZone: "UTC" };
  const booked = await chats.say(`book ${JSON.stringify({ start, attendee })}`);
  expect(booked.body).toMatchObject({ toolCalls: [{ status: "success" }] });
  const emails = async () =>
    (
      await api.database.db
        .selectFrom("demo_shop_bookings")
        .select("email")
        .where("connection_id", "=", connectionId)
        .orderBy("email")
        .execute()
    ).map(({ email }) => email);
  expect(await emails()).toEqual([MINE, "eve@example.com"]);
  await chats.end(booked.sessionId);
  await expect.poll(async () => (await chats.record(booked.sessionId)).status).toBe("completed");
  const path = `/api/orgs/${orgId}/calls/${booked.sessionId}/content`;
  expect((await api.call("DELETE", path, { key: chats.organization.keys.owner })).status).toBe(200);
  expect(await emails()).toEqual([MINE]);
});

it("the demo's agent finds an order from the first start on, by the example brain", async () => {
  const brain = await startExampleBrain({ host: "127.0.0.1", port: 0, tokenDelayMs: 0 });
  const own = await TestControlApi.start({
    allowPrivateTargets: ["127.0.0.0/8"],
    demo: { brainUrl: brain.url, gatewayUrl: "ws://gateway.example" },
  });
  onTestFinished(async () => {
    await own.close();
    await brain.close();
  });
  const { agentId, apiKey } = JSON.parse(await readFile(join(own.dataDir, "demo.json"), "utf8")) as {
    agentId: string;
    apiKey: string;
  };
  const say = async (input: string) =>
    (await own.call("POST", "/api/v1/chat", { key: apiKey, body: { agentId, identifier: "ada", input } }))
      .body;
  expect(await say("Where is my order 1001?")).toMatchObject({
    reply: expect.stringContaining("Your order 1001 is shipped: Running shoes"),
    toolCalls: [{ name: "find_order", status: "success" }],
  });
  expect((await say("And order 4711?")).reply).toContain("there is no order 4711");
});

it("a tool of a connection that is not there is refused, and a connection in use is not deleted", async () => {
  const { chats, change, connectionId } = await shopAgent();
  const { agentId, keys } = chats.organization;
  const save = (tool: object) =>
    api.call("PATCH", `/api/agents/${agentId}`, {
      key: keys.developer,
      body: { brain: { ...change.brain, tools: [{ ...TOOLS[0], ...tool }] } },
    });
  expect((await save({ connectionId: "con_nobody" })).text).toContain("brain.tools.0.connectionId");
  expect((await save({ capability: "order.steal" })).text).toContain("no connector can do order.steal");
  expect((await save({ bind: { color: "red" } })).text).toContain("color is no argument of it");
  expect((await save({ connectionId })).status).toBe(200);
  const path = `/api/v1/integrations/connections/${connectionId}`;
  const refused = await api.call("DELETE", path, { key: keys.developer });
  expect([refused.status, refused.text.includes("agent Anna")]).toEqual([409, true]);
});
