import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { recordedEvents } from "../testkit/call-events.ts";
import { TestCaller } from "../testkit/caller.ts";
import { TestChats } from "../testkit/chat.ts";
import { TestControlApi } from "../testkit/control-api.ts";
import { createFliteVoice } from "../testkit/fakes/speech/fake-speech.ts";
import { type FakeOpenAi, startFakeOpenAi } from "../testkit/fakes/speech/openai.ts";
import { flowOf } from "../testkit/flows.ts";
import { TestGateway } from "../testkit/gateway.ts";
import { chat } from "../testkit/model-brain.ts";
import { TestReceiver } from "../testkit/receiver.ts";

let api: TestControlApi;
let gateway: TestGateway;
let speech: ReturnType<typeof createFliteVoice>;
let voices: FakeOpenAi;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  speech = createFliteVoice();
  voices = await startFakeOpenAi({ apiKey: "key", voice: speech });
  const env = { OPENAI_API_KEY: "key", OPENAI_BASE_URL: voices.url };
  gateway = await TestGateway.start({ bus: api.bus, keys: api.keys, env });
});
afterAll(async () => {
  await gateway.gateway.close();
  await voices.close();
  await speech.close();
  await api.close();
  await rm(gateway.dataDir, { recursive: true, force: true });
});

const SOON = { timeout: 90_000 };
const bye = { type: "end", text: "Goodbye, {nick}." };
const sorry = { type: "end", text: "Nobody is there." };
/** Books for whoever it was told of. */
const BOOKING = flowOf({
  day: {
    ...{ type: "ask", text: "{summary} On which day, {nick}?", save: "day", next: "bye", no_answer: "bye" },
    answer: { type: "text" },
  },
  bye,
});
const DESK = (agentId: string) =>
  flowOf({
    name: {
      ...{ type: "ask", text: "Your name?", save: "nick", next: "pass", no_answer: "sorry" },
      answer: { type: "text" },
    },
    pass: {
      ...{ type: "hand_off", text: "I pass you on, {nick}.", agentId, variables: ["nick"], failed: "sorry" },
      summary: "{nick} wants to book.",
    },
    sorry,
  });

/** An organization whose first agent answers, with another one that books. */
async function team(booking: object) {
  const chats = await TestChats.start(api, () => undefined, { firstResponse: undefined });
  onTestFinished(() => chats.close());
  const { keys, orgId, agentId } = chats.organization;
  const key = keys.developer;
  const variables = [{ name: "nick" }];
  const body = { name: "Booking", variables, ...booking };
  const made = await api.call("POST", "/api/agents", { key, body });
  expect(made.status, made.text).toBe(201);
  const { id } = made.body.data as { id: string };
  await chats.change({ brain: { kind: "flow", flow: DESK(id) }, recording: false });
  /** Names of the events that an endpoint of this agent's is told. */
  const toldOf = async (of: string): Promise<() => Promise<string[]>> => {
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const path = `/api/orgs/${orgId}/webhooks`;
    const endpoint = await api.call("POST", path, { key, body: { url: receiver.url, agentId: of } });
    const { id: endpointId } = endpoint.body.data as { id: string };
    return async () => {
      const listed = await api.call("GET", `${path}/${endpointId}/deliveries`, { key });
      const { deliveries } = listed.body.data as { deliveries: { event: string }[] };
      return deliveries.map(({ event }) => event).toSorted();
    };
  };
  return { chats, id, agentId, keys, toldOf };
}

describe("an agent that hands to another", () => {
  it("gives it the call with a summary and variables, and who follows an agent is told of its part of the call", async () => {
    const { chats, id, agentId, keys, toldOf } = await team({ brain: { kind: "flow", flow: BOOKING } });
    const [first, second] = [await toldOf(agentId), await toldOf(id)];
    const made = await api.call("POST", "/api/sessions/init-web-call", {
      key: keys.owner,
      body: { agentId },
    });
    const { websocketUrl, sessionId } = made.body.data as { websocketUrl: string; sessionId: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    expect((await caller.said("assistant")).text).toBe("Your name?");
    // Whatever both agents become meanwhile, the call goes on with what they were when it began.
    const over = flowOf({ over: { type: "end", text: "We are closed." } });
    await chats.change({ brain: { kind: "flow", flow: over } });
    const change = { key: keys.developer, body: { brain: { kind: "flow", flow: over } } };
    expect((await api.call("PATCH", `/api/agents/${id}`, change)).status).toBe(200);
    caller.send({ type: "text", text: "Ada" });
    expect((await caller.said("assistant")).text).toBe("I pass you on, Ada.");
    expect((await caller.said("assistant")).text).toBe("Ada wants to book. On which day, Ada?");
    caller.send({ type: "text", text: "Friday" });
    expect((await caller.said("assistant")).text).toBe("Goodbye, Ada.");
    expect(await caller.next("ended")).toMatchObject({ reason: "flow_end" });
    const record = async () => chats.record(sessionId);
    await expect.poll(async () => (await record()).endReason, SOON).toBe("flow_end");
    const { path, handOffs, agentId: began, agentVersion } = await record();
    expect([began, agentVersion]).toEqual([agentId, 2]);
    expect(path).toMatchObject([
      { node: "name", agentId: null },
      { node: "pass", agentId: null },
      { node: "day", agentId: id },
      { node: "bye", agentId: id },
    ]);
    expect(handOffs).toMatchObject([{ agentId: id, agentVersion: 1, summary: "Ada wants to book." }]);
    const turns = (count: number) => Array.from({ length: count }, () => "transcript.ready");
    await expect.poll(second, SOON).toEqual(["call.ended", ...turns(3)]);
    expect(await first()).toEqual(["call.started", ...turns(3)]);
  });

  it("gives it a chat within the same reply, and the next message goes to who has it now", async () => {
    const { chats, id } = await team({ brain: { kind: "flow", flow: BOOKING } });
    const { body, sessionId } = await chats.say("Ada");
    expect(body.reply).toBe("I pass you on, Ada. Ada wants to book. On which day, Ada?");
    const { body: last } = await chats.say("Friday", { sessionId });
    expect(last).toMatchObject({ reply: "Goodbye, Ada.", ended: true });
    const record = async () => chats.record(sessionId);
    await expect.poll(async () => (await record()).endReason, SOON).toBe("flow_end");
    expect((await record()).handOffs).toMatchObject([{ agentId: id, summary: "Ada wants to book." }]);
  });

  it("gives it to a model, which speaks in its own voice and name, knows what it was told, and owns what follows", async () => {
    const then = "stall";
    const fake = await chat(({ messages }) =>
      messages.at(-1)?.content === "Friday" ? { text: "On Friday, then." } : { then },
    );
    const brain = { kind: "model", model: "m", url: fake.url, prompt: "You book for {nick}. {summary}" };
    const voice = (name: string) => ({ tts: [{ vendor: "openai", voice: name }] });
    const { chats, id, agentId, keys } = await team({
      ...{ brain, firstResponse: "Booking here, {nick}." },
      ...voice("onyx"),
    });
    // So late that it is said in none of the turns that are answered, on a busy machine either.
    await chats.change({ ...voice("coral"), waiting: { afterMs: 5_000 } });
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const hooks = `/api/orgs/${chats.organization.orgId}/webhooks`;
    await api.call("POST", hooks, { key: keys.developer, body: { url: receiver.url } });
    const made = await api.call("POST", "/api/sessions/init-web-call", {
      key: keys.owner,
      body: { agentId },
    });
    const { websocketUrl, sessionId } = made.body.data as { websocketUrl: string; sessionId: string };
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    const agentSays = async () => (await caller.said("assistant")).text;
    expect(await agentSays()).toBe("Your name?");
    caller.send({ type: "text", text: "Ada" });
    expect(await agentSays()).toBe("I pass you on, Ada.");
    expect(await agentSays()).toBe("Booking here, Ada.");
    caller.send({ type: "text", text: "Friday" });
    expect(await agentSays()).toBe("On Friday, then.");
    expect(fake.asked[0]?.messages[0]?.content).toBe("You book for Ada. Ada wants to book.");
    caller.send({ type: "text", text: "At what time?" });
    expect(await agentSays()).toBe("One moment, please.");
    caller.send({ type: "hangup" });
    await caller.untilClosed();

    const spokenBy = (name: string) =>
      voices.asked.texts.filter((_, at) => voices.asked.voices[at]?.voice === name);
    expect(spokenBy("onyx").join(" ")).toBe("Booking here, Ada. On Friday, then. One moment, please.");
    // Among lines that it may need, which are spoken ahead.
    expect(spokenBy("coral")).toEqual(expect.arrayContaining(["Your name?", "I pass you on,"]));
    const read = () => recordedEvents(api.database, sessionId);
    await expect.poll(async () => (await read()).at(-1)?.type, SOON).toBe("call.ended");
    const events = await read();
    const handedAt = events.findIndex(({ type }) => type === "call.handed_off");
    const owners = (some: typeof events) => new Set(some.map((event) => event.agentId));
    expect(owners(events.slice(0, handedAt))).toEqual(new Set([undefined]));
    expect(owners(events.slice(handedAt + 1))).toEqual(new Set([id]));
    const told = () =>
      receiver.received
        .map(({ body }) => JSON.parse(body) as Record<string, string>)
        .map((hook) => [hook.event, hook.text ?? "", hook.agentId].join(" "))
        .toSorted();
    await expect
      .poll(told, SOON)
      .toEqual(
        [
          `call.started  ${agentId}`,
          ...["Your name?", "Ada", "I pass you on, Ada."].map(
            (text) => `transcript.ready ${text} ${agentId}`,
          ),
          ...["Booking here, Ada.", "Friday", "On Friday, then.", "At what time?", "One moment, please."].map(
            (text) => `transcript.ready ${text} ${id}`,
          ),
          `call.ended  ${id}`,
        ].toSorted(),
      );
  });

  it("goes another way when that agent was deleted, and is not saved when it never was", async () => {
    const { chats, id, agentId, keys } = await team({ brain: { kind: "flow", flow: BOOKING } });
    await api.call("DELETE", `/api/agents/${id}`, { key: keys.developer });
    expect((await chats.say("Ada")).body).toMatchObject({ reply: "I pass you on, Ada. Nobody is there." });
    const body = { brain: { flow: DESK("agt_never") } };
    const refused = await api.call("PATCH", `/api/agents/${agentId}`, { key: keys.developer, body });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({
      details: { fields: { "brain.flow.nodes.1.agentId": expect.stringContaining("agt_never") } },
    });
  });
});

it("a model hands to another agent by a tool, with a summary of its own", async () => {
  const { chats, id, agentId } = await team({ brain: { kind: "flow", flow: BOOKING } });
  const fake = await chat(({ messages }) =>
    messages.at(-1)?.role === "tool"
      ? { text: "?" }
      : {
          text: "One moment. ",
          calls: [{ name: "hand_off", arguments: '{"agent":"booking","summary":"Wants Friday."}' }],
        },
  );
  const tools = [{ kind: "hand_off", agents: [{ name: "booking", agentId: id }] }];
  await chats.change({ brain: { kind: "model", model: "m", prompt: "Help.", url: fake.url, tools } });
  const { body, sessionId } = await chats.say("Friday, please");
  expect(body.reply).toBe("One moment. Wants Friday. On which day,?");
  const { tools: used, agentId: began } = await chats.record(sessionId).then(async () => {
    await expect.poll(async () => (await chats.record(sessionId)).handOffs, SOON).toHaveLength(1);
    return chats.record(sessionId);
  });
  expect(began).toBe(agentId);
  expect(used).toMatchObject([{ name: "hand_off", status: "success" }]);
});
