import { rm } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import type { ChatModel } from "../testkit/fakes/chat-completions.ts";
import { CAL_KEY, startFakeCalCom } from "../testkit/fakes/connectors/cal-com.ts";
import type { FakeVendor } from "../testkit/fakes/connectors/fake-vendor.ts";
import { startFakeWoocommerce, WOO } from "../testkit/fakes/connectors/woocommerce.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { chat } from "../testkit/model-brain.ts";
import { TestReceiver } from "../testkit/receiver.ts";

/** Only there so that a failure ends: the voice may have to wait for a processor. */
const PATIENCE_MS = 90_000;
const SOON = { timeout: PATIENCE_MS };
const MOVE = { id: "b1", start: "2026-03-03T10:00:00.000Z" };
const TOOLS = [
  { kind: "connector", name: "find", capability: "order.lookup" },
  { kind: "connector", name: "move", capability: "booking.reschedule" },
];

let shop: FakeVendor;
let calendar: FakeVendor;
let api: TestControlApi;
let gateway: TestGateway;
beforeAll(async () => {
  shop = await startFakeWoocommerce();
  calendar = await startFakeCalCom();
  api = await TestControlApi.start({
    allowPrivateTargets: ["127.0.0.0/8"],
    env: { INTEGRATION_URLS: `woocommerce=${shop.url},cal-com=${calendar.url}` },
  });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys });
});
afterAll(async () => {
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
  shop.close();
  calendar.close();
});
beforeEach(() => {
  shop.fault = undefined;
});

/** Says of each result what a person would, and calls a tool for whatever needs one. */
const model: ChatModel = ({ messages }) => {
  const { role, content } = messages.at(-1) ?? {};
  const said = String(content);
  if (role === "tool") {
    const { orders, booking, error } = JSON.parse(said) as {
      orders?: { number: string; items: { name: string }[] }[];
      booking?: { start: string };
      error?: object;
    };
    if (error) return { text: "I am sorry, the shop does not answer." };
    if (booking) return { text: "It is moved." };
    if (!orders) return { text: "Shall I move it to Tuesday at ten?" };
    const [order] = orders;
    return { text: order ? `${order.number}: ${order.items[0]?.name}.` : "There is no such order." };
  }
  if (/Move|Yes/.test(said)) return { calls: [{ name: "move", arguments: JSON.stringify(MOVE) }] };
  const orderNumber = /order (\S+)\?/.exec(said)?.[1];
  return orderNumber === undefined
    ? { text: "All right." }
    : { text: "Let me look. ", calls: [{ name: "find", arguments: JSON.stringify({ orderNumber }) }] };
};

/** A conversation that asks for all of it, and what is answered. */
const CONVERSATION = [
  ["Where is order 1001?", "Let me look. 1001: Running shoes."],
  ["And where is order S-77?", "Let me look. S-77: Running shoes."],
  ["Move my appointment to Tuesday.", "Shall I move it to Tuesday at ten?"],
  ["Yes, please.", "It is moved."],
] as const;
const TOLD = [
  { name: "find", status: "success", result: { orders: [{ number: "1001" }] } },
  { name: "find", status: "success", result: { orders: [{ number: "S-77" }] } },
  { name: "move", status: "confirmation_required" },
  { name: "move", status: "success", result: { booking: { id: "b3", start: MOVE.start } } },
  { name: "find", status: "error", result: { error: { code: "vendor_failed" } } },
];

/** An agent of an organization that has connected a shop and a calendar, and whoever gets its webhooks. */
async function office() {
  const fake = await chat(model);
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  const { orgId, keys } = chats.organization;
  const post = async (path: string, body: object) => {
    const answer = await api.call("POST", path, { key: keys.owner, body });
    expect(answer.status, answer.text).toBe(201);
  };
  const connections = "/api/v1/integrations/connections";
  const store = { credentials: WOO, settings: { url: "https://shoes.example/shop" } };
  await post(connections, { providerId: "woocommerce", ...store });
  await post(connections, { providerId: "cal-com", credentials: { apiKey: CAL_KEY } });
  await chats.change({ brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools: TOOLS } });
  const receiver = await TestReceiver.answering(200);
  onTestFinished(() => receiver.close());
  await post(`/api/orgs/${orgId}/webhooks`, { url: receiver.url, events: ["tool.invoked"] });
  const told = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as { occurredAt: string })
      .toSorted((one, other) => one.occurredAt.localeCompare(other.occurredAt));
  return { chats, told };
}

describe("an agent that acts for its caller at the vendors", { timeout: 5 * PATIENCE_MS }, () => {
  it("does in a call, where it is heard, what it is asked", async () => {
    const { chats, told } = await office();
    const { agentId, keys } = chats.organization;
    const { body } = await api.call("POST", "/api/sessions/init-web-call", {
      key: keys.owner,
      body: { agentId },
    });
    const { websocketUrl } = body.data as { websocketUrl: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const hears = async (text: string) => {
      caller.send({ type: "text", text });
      return (await caller.said("assistant")).text;
    };
    for (const [says, answer] of CONVERSATION) expect(await hears(says)).toBe(answer);
    shop.fault = { status: 503, json: { message: "down" } };
    expect(await hears("And order 1001?")).toBe("Let me look. I am sorry, the shop does not answer.");
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    expect(Buffer.concat(caller.audio).length).toBeGreaterThan(0);
    await expect.poll(told, SOON).toMatchObject(TOLD);
  });

  it("does so in a chat", async () => {
    const { chats, told } = await office();
    let sessionId: string | undefined;
    const reads = async (text: string) => {
      const answer = await chats.say(text, sessionId === undefined ? {} : { sessionId });
      sessionId = answer.sessionId;
      return answer.body.reply;
    };
    for (const [says, answer] of CONVERSATION) expect(await reads(says)).toBe(answer);
    shop.fault = { status: 503, json: { message: "down" } };
    expect(await reads("And order 1001?")).toBe("Let me look. I am sorry, the shop does not answer.");
    await chats.end(sessionId ?? "");
    await expect.poll(told, SOON).toMatchObject(TOLD);
  });
});
