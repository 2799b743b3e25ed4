import { rm } from "node:fs/promises";
import type { ToolExecutors, ToolRun } from "@parley/control-api/tools/executor.ts";
import { AppError } from "@parley/shared/errors.ts";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import type { ChatModel } from "../testkit/fakes/chat-completions.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { chat } from "../testkit/model-brain.ts";
import { TestReceiver } from "../testkit/receiver.ts";

const SOON = { timeout: 90_000 };
const MOVE = { id: "apt-1", start: "2026-03-03T10:00:00Z" };

let api: TestControlApi;
let gateway: TestGateway;
/** What the vendor was asked in the test that runs. */
const ran: ToolRun[] = [];

/** A vendor's system with orders and appointments; it never answers about the order `slow`, and fails about `13`. */
const vendor: ToolExecutors = {
  connector: {
    describe: async ({ capability }) => ({
      description: `Does ${capability}.`,
      parameters: { type: "object", properties: {} },
      effect: capability === "order.lookup" ? "read" : "write_once",
    }),
    faults: async ({ capability }) =>
      capability === "order.lookup" || capability === "booking.reschedule"
        ? []
        : [{ field: "capability", text: `no connector can do ${capability}` }],
    run: async (_tool, run) => {
      ran.push(run);
      const { orderNumber } = run.arguments;
      if (orderNumber === "slow") await new Promise(() => undefined);
      if (orderNumber === "13") throw new AppError("vendor_failed", "The shop did not answer.");
      return {
        status: "success",
        result: { number: orderNumber ?? null, status: "shipped to 4111 1111 1111 1111" },
      };
    },
  },
};

const model: ChatModel = ({ messages }) => {
  const { role, content } = messages.at(-1) ?? {};
  const said = String(content);
  if (role === "tool") {
    if (said.includes("confirmation")) return { text: "Shall I move it to Tuesday at ten?" };
    if (said.includes("error")) return { text: "I am sorry, I cannot reach the shop." };
    return { text: said.includes("shipped") ? "It is done." : "There is nothing." };
  }
  if (said.startsWith("Move") || said.startsWith("Yes"))
    return { calls: [{ name: "move", arguments: JSON.stringify(MOVE) }] };
  const [, orderNumber] = /order (\w+)/.exec(said) ?? [];
  if (orderNumber)
    return { text: "Let me look. ", calls: [{ name: "find", arguments: JSON.stringify({ orderNumber }) }] };
  return { text: "All right." };
};

const TOOLS = [
  { kind: "connector", name: "find", capability: "order.lookup" },
  { kind: "connector", name: "move", capability: "booking.reschedule" },
];

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"], toolExecutors: vendor });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys });
});
afterAll(async () => {
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
});
afterEach(() => void ran.splice(0));

/** An organization whose agent is a model with these tools, and whoever gets its webhooks. */
async function shopKeeper() {
  const fake = await chat(model);
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  await chats.change({ brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools: TOOLS } });
  const { orgId, keys } = chats.organization;
  const receiver = await TestReceiver.answering(200);
  onTestFinished(() => receiver.close());
  const body = { url: receiver.url, events: ["tool.invoked"] };
  await api.call("POST", `/api/orgs/${orgId}/webhooks`, { key: keys.owner, body });
  const told = () =>
    receiver.received
      .map((hook) => JSON.parse(hook.body) as Record<string, unknown>)
      .map(({ name, status, result }) => ({ name, status, result }));
  return { chats, told, fake };
}

type Keeper = Awaited<ReturnType<typeof shopKeeper>>;

async function phone({ chats }: Keeper): Promise<{ caller: TestCaller; sessionId: string }> {
  const { agentId, keys } = chats.organization;
  const created = await api.call("POST", "/api/sessions/init-web-call", {
    key: keys.owner,
    body: { agentId },
  });
  const { websocketUrl, sessionId } = created.body.data as { websocketUrl: string; sessionId: string };
  return { caller: await TestCaller.start(websocketUrl, { acknowledges: true }), sessionId };
}

/** What a caller hears to what they say, the agent's line "Let me look." included. */
async function hears(caller: TestCaller, text: string): Promise<string> {
  caller.send({ type: "text", text });
  return (await caller.said("assistant")).text;
}

it("a call looks an order up, moves an appointment after a yes, and apologizes for a vendor that fails", async () => {
  const keeper = await shopKeeper();
  const { caller, sessionId } = await phone(keeper);
  expect(await hears(caller, "Where is order 1001?")).toBe("Let me look. It is done.");
  expect(await hears(caller, "Move my appointment to Tuesday.")).toBe("Shall I move it to Tuesday at ten?");
  expect(ran.map(({ arguments: given }) => given)).toEqual([{ orderNumber: "1001" }]);
  expect(await hears(caller, "Yes, please.")).toBe("It is done.");
  expect(ran.at(-1)).toMatchObject({ arguments: MOVE, sessionId, orgId: keeper.chats.organization.orgId });
  expect(await hears(caller, "And order 13?")).toBe("Let me look. I am sorry, I cannot reach the shop.");
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  await expect.poll(() => keeper.told().length, SOON).toBe(4);
  expect(keeper.told()).toMatchObject([
    { name: "find", status: "success" },
    { name: "move", status: "confirmation_required" },
    { name: "move", status: "success" },
    { name: "find", status: "error", result: { error: { code: "vendor_failed" } } },
  ]);
  // Masked as the organization's policy says, wherever it is kept.
  expect(JSON.stringify(keeper.told())).not.toContain("4111 1111");
  const record = async () => (await keeper.chats.record(sessionId)).tools as { status: string }[];
  await expect
    .poll(async () => (await record()).map(({ status }) => status), SOON)
    .toEqual(["success", "confirmation_required", "success", "error"]);
  expect(JSON.stringify(await record())).not.toContain("4111 1111");
});

it("a caller who speaks meanwhile gives up what the vendor is asked", async () => {
  const keeper = await shopKeeper();
  const { caller } = await phone(keeper);
  caller.send({ type: "text", text: "Where is order slow?" });
  await expect.poll(() => ran.length, SOON).toBe(1);
  await caller.next("mark");
  caller.send({ type: "text", text: "Never mind." });
  await expect.poll(() => ran[0]?.signal.aborted, SOON).toBe(true);
  await caller.said("assistant");
  expect((await caller.said("assistant")).text).toBe("All right.");
  caller.send({ type: "hangup" });
  await caller.untilClosed();
  await expect.poll(keeper.told, SOON).toMatchObject([{ name: "find", status: "abandoned" }]);
});

it("a caller who hangs up does, too", async () => {
  const { caller } = await phone(await shopKeeper());
  caller.send({ type: "text", text: "Where is order slow?" });
  await expect.poll(() => ran.length, SOON).toBe(1);
  caller.send({ type: "hangup" });
  await expect.poll(() => ran[0]?.signal.aborted, SOON).toBe(true);
});

it("a chat does the same, in the process that answers it", async () => {
  const keeper = await shopKeeper();
  const { chats } = keeper;
  const first = await chats.say("Where is order 1001?");
  const { sessionId } = first;
  expect(first.body).toMatchObject({ reply: "Let me look. It is done.", toolCalls: [{ status: "success" }] });
  expect((await chats.say("Move it to Tuesday.", { sessionId })).body).toMatchObject({
    reply: "Shall I move it to Tuesday at ten?",
    toolCalls: [{ name: "move", status: "confirmation_required" }],
  });
  expect((await chats.say("Yes, please.", { sessionId })).body).toMatchObject({
    reply: "It is done.",
    toolCalls: [{ name: "move", status: "success" }],
  });
  expect((await chats.say("And order 13?", { sessionId })).body).toMatchObject({
    reply: "Let me look. I am sorry, I cannot reach the shop.",
  });
  await chats.end(sessionId);
  await expect.poll(() => keeper.told().length, SOON).toBe(4);
});

it("an agent's tools are held against what there is when it is saved", async () => {
  const { chats, fake } = await shopKeeper();
  const { agentId, keys } = chats.organization;
  const tools = [...TOOLS, { kind: "connector", name: "fly", capability: "flight.book" }];
  const body = { brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools } };
  const answer = await api.call("PATCH", `/api/agents/${agentId}`, { key: keys.developer, body });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain("brain.tools.2.capability");
  expect(answer.text).toContain("no connector can do flight.book");
});
