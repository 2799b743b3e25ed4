import { rm } from "node:fs/promises";
import { LOOK_AHEAD_MS } from "@parley/shared/brain/tools/look-ahead.ts";
import { type Clock, systemClock } from "@parley/shared/clock.ts";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import type { ChatModel } from "../testkit/fakes/chat-completions.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { chat } from "../testkit/model-brain.ts";

/** Has time for the search in each turn, which a busy machine may take longer for than a caller would wait. */
const patientClock: Clock = {
  ...systemClock,
  after: (delayMs, fn) => systemClock.after(delayMs === LOOK_AHEAD_MS ? 60_000 : delayMs, fn),
};

let api: TestControlApi;
let gateway: TestGateway;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"], clock: patientClock });
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys, clock: patientClock });
});
afterAll(async () => {
  await gateway.gateway.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
});

/** Looks up what it is asked, and answers with the first passage it gets. */
const model: ChatModel = ({ messages }) => {
  const { role, content } = messages.at(-1) ?? {};
  if (role !== "tool") return { calls: [{ name: "look_up", arguments: JSON.stringify({ query: content }) }] };
  const { passages } = JSON.parse(String(content)) as { passages: { document: string; text: string }[] };
  const [first] = passages;
  return { text: first ? `${first.document}: ${first.text}` : "I do not know." };
};

/** A knowledge base of the chats' organization that is read; a tool that looks things up in it. */
async function handbookTool({ organization: { orgId, keys } }: TestChats, settings: object): Promise<object> {
  const bases = `/api/orgs/${orgId}/knowledge-bases`;
  const key = keys.developer;
  const made = await api.call("POST", bases, { key, body: { name: "Handbook" } });
  const { id } = made.body.data as { id: string };
  const body = { type: "text", name: "Hours", text: "# Saturdays\n\nThe shop is open from ten to two." };
  const added = await api.call("POST", `${bases}/${id}/documents`, { key, body });
  const at = `${bases}/${id}/documents/${(added.body.data as { id: string }).id}`;
  const state = async () => ((await api.call("GET", at, { key })).body.data as { state: string }).state;
  await expect.poll(state, { timeout: 90_000 }).toBe("ready");
  return { kind: "knowledge", name: "look_up", knowledgeBaseIds: [id], ...settings };
}

const PASSAGE = { document: "Hours", heading: "Saturdays", text: "The shop is open from ten to two." };

it("an agent answers a chat from its organization's documents, and its record tells what it looked up", async () => {
  const fake = await chat(model);
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  const tools = [await handbookTool(chats, { everyTurn: false })];
  await chats.change({ brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools } });
  const answered = await chats.say("When is your shop open on Saturdays?");
  expect(answered.body.reply, answered.text).toBe("Hours: The shop is open from ten to two.");
  expect((await chats.say("Who won the match?")).body.reply).toBe("I do not know.");
  const used = async () => (await chats.record(answered.sessionId)).tools;
  const lookUp = { name: "look_up", status: "success", result: { passages: [PASSAGE] } };
  await expect.poll(used).toMatchObject([lookUp]);
});

it("a model has the passages that fit before it answers, as data, and the record tells which", async () => {
  const asked: { role: string; content: unknown }[][] = [];
  const fake = await chat(({ messages }) => {
    asked.push(messages as (typeof asked)[number]);
    return { text: "From ten to two." };
  });
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  const tools = [await handbookTool(chats, {})];
  await chats.change({ brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools } });
  const answered = await chats.say("When is your shop open on Saturdays?");
  expect(answered.body.reply, answered.text).toBe("From ten to two.");
  const [system, passages, user] = asked[0] ?? [];
  expect([system?.content, user?.content]).toEqual(["Help.", "When is your shop open on Saturdays?"]);
  expect(passages?.role).toBe("system");
  expect(passages?.content).toContain(JSON.stringify([PASSAGE]));
  await chats.say("Thanks!", { sessionId: answered.sessionId });
  expect(JSON.stringify(asked[1])).not.toContain("The shop is open");
  const used = async () => (await chats.record(answered.sessionId)).tools;
  await expect.poll(used).toMatchObject([
    { name: "look_up", status: "success", result: { passages: [PASSAGE] } },
    { name: "look_up", status: "success", result: { passages: [] } },
  ]);
});

it("a customer's own brain gets the passages with a caller's words, in a call whose gateway has no database", async () => {
  const asked: unknown[] = [];
  const chats = await TestChats.start(
    api,
    (turn) => {
      asked.push((turn.request as { knowledge?: unknown }).knowledge);
      turn.token("From ten to two.");
      turn.done();
    },
    { firstResponse: undefined },
  );
  onTestFinished(() => chats.close());
  const tools = [await handbookTool(chats, {})];
  await chats.change({ brain: { url: chats.brain.url, tools } });
  const { agentId, keys } = chats.organization;
  const body = { agentId };
  const made = await api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body });
  const { websocketUrl } = made.body.data as { websocketUrl: string };
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  caller.send({ type: "text", text: "When is your shop open on Saturdays?" });
  expect((await caller.said("assistant")).text).toBe("From ten to two.");
  caller.send({ type: "text", text: "12345" });
  await expect.poll(() => asked.length, { timeout: 90_000 }).toBe(2);
  expect(asked).toEqual([[PASSAGE], undefined]);
  caller.send({ type: "hangup" });
  await caller.untilClosed();
});

it("a call's flow looks its caller's words up in the organization's documents, and goes another way when they say nothing", async () => {
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  const tools = [await handbookTool(chats, { everyTurn: false })];
  const flow = flowOf(
    {
      wish: {
        type: "ask",
        text: "Yes?",
        save: "wish",
        answer: { type: "text" },
        next: "look",
        no_answer: "bye",
      },
      look: {
        ...{ type: "knowledge", tool: "look_up", query: "{wish}", save: "found", next: "told" },
        not_found: "unknown",
      },
      told: { type: "say", text: "{found}", next: "wish" },
      unknown: { type: "say", text: "I do not know.", next: "wish" },
      bye: { type: "end", text: "Bye." },
    },
    { exits: [{ name: "Enough", phrases: ["goodbye"], to: "bye" }] },
  );
  await chats.change({ brain: { kind: "flow", flow, tools } });
  const { agentId, keys } = chats.organization;
  const made = await api.call("POST", "/api/sessions/init-web-call", { key: keys.owner, body: { agentId } });
  const { websocketUrl } = made.body.data as { websocketUrl: string };
  const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
  const agentSays = async () => (await caller.said("assistant")).text;
  expect(await agentSays()).toBe("Yes?");
  caller.send({ type: "text", text: "When is your shop open on Saturdays?" });
  expect(await agentSays()).toBe("The shop is open from ten to two. Yes?");
  caller.send({ type: "text", text: "Who won the match?" });
  expect(await agentSays()).toBe("I do not know. Yes?");
  caller.send({ type: "text", text: "Goodbye" });
  expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
});
