import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
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
  const { keys, orgId } = chats.organization;
  const created = await api.call("POST", "/api/v1/integrations/connections", {
    key: keys.developer,
    body: { providerId: "demo-shop" },
  });
  const connectionId = String((created.body.connection as { id: string }).id);
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
