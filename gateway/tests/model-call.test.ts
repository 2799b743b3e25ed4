import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { TestCaller } from "../../testkit/caller.ts";
import { type ChatModel, type FakeChat, startFakeChat } from "../../testkit/fakes/chat-completions.ts";
import { TestGateway } from "../../testkit/gateway.ts";

let gateway: TestGateway;
const closers: (() => void)[] = [];

beforeAll(async () => {
  gateway = await TestGateway.start();
});
afterAll(() => gateway.close());
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function model(answers: ChatModel): Promise<FakeChat> {
  const fake = await startFakeChat({ model: answers });
  closers.push(() => fake.close());
  return fake;
}

/** The customer's own endpoint that tools call. */
async function endpoint(handle: (res: ServerResponse, identifier: unknown) => void): Promise<string> {
  const server: Server = createServer((req, res) => handle(res, req.headers["x-service-identifier"]));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const said = (fake: FakeChat): string[] =>
  (fake.asked.at(-1)?.messages ?? []).map(({ role, content }) => `${role}: ${content}`);

const LONG =
  "First of all let me tell you about our opening hours. We are open from nine to five on weekdays. On Saturdays we close at noon.";

describe("a call whose agent is a model", () => {
  it("runs a tool, is interrupted, and is ended by the model", async () => {
    const identities: unknown[] = [];
    const api = await endpoint((res, identifier) => {
      identities.push(identifier);
      res.end('{"free":["18:00"]}');
    });
    const fake = await model(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === "tool") return { text: LONG };
      if (last?.content === "Any table?")
        return { text: "Let me look.", calls: [{ name: "tables", arguments: '{"day":"today"}' }] };
      return { calls: [{ name: "end_call", arguments: '{"farewell":"Goodbye, Ada."}' }] };
    });
    const { websocketUrl, sessionId } = await gateway.createSession({
      brain: {
        kind: "model",
        model: "fake",
        prompt: "You talk to {name}.",
        url: fake.url,
        tools: [
          {
            kind: "http",
            name: "tables",
            description: "Free tables.",
            url: `${api}/tables`,
            sendIdentifier: true,
          },
          { kind: "end_call" },
        ],
      },
      firstResponse: "Hello Ada.",
      identifier: "ada@example.com",
      variables: { name: "Ada" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    expect(await caller.said("assistant")).toMatchObject({ text: "Hello Ada.", turn: 0 });
    caller.send({ type: "text", text: "Any table?" });
    await caller.next("metrics");
    // Talks over it once something after the tool's answer was played.
    await caller.next("transcript", ({ text, final }) => !final && text.includes("opening hours"));
    await caller.next("mark");
    caller.send({ type: "text", text: "Thanks, bye" });
    const cut = await caller.said("assistant");
    expect(`Let me look. ${LONG}`.startsWith(cut.text)).toBe(true);
    expect(await caller.said("assistant")).toMatchObject({ text: "Goodbye, Ada.", turn: 2 });
    expect(await caller.next("ended")).toMatchObject({ reason: "llm_end_call" });
    expect(identities).toEqual(["ada@example.com"]);
    expect(said(fake)).toEqual([
      "system: You talk to Ada.",
      "assistant: Hello Ada.",
      "user: Any table?",
      "assistant: null",
      'tool: {"free":["18:00"]}',
      `assistant: ${cut.text}`,
      "user: Thanks, bye",
    ]);
    const events = await gateway.eventsOf(sessionId);
    const used = events.filter((event) => event.type === "call.tokens_used");
    expect(used.map(({ turn, isOwn }) => ({ turn, isOwn }))).toEqual([
      ...[1, 1, 2].map((turn) => ({ turn, isOwn: true })),
    ]);
    const tools = events.filter((event) => event.type === "call.tool_invoked");
    expect(tools).toMatchObject([
      {
        turn: 1,
        name: "tables",
        arguments: { day: "today" },
        result: { free: ["18:00"] },
        status: "success",
      },
      { turn: 2, name: "end_call", arguments: { farewell: "Goodbye, Ada." }, status: "success" },
    ]);
  });

  it("speaks while a tool runs, and records a tool that the caller did not wait for", async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const api = await endpoint(() => asked());
    const fake = await model(({ messages }) =>
      messages.at(-1)?.content === "Look"
        ? { text: "One moment", calls: [{ name: "slow", arguments: "{}" }] }
        : { text: "All right." },
    );
    const { websocketUrl, sessionId } = await gateway.createSession({
      brain: {
        kind: "model",
        model: "fake",
        prompt: "Be kind.",
        url: fake.url,
        // Only the tool call itself can let the open clause go.
        clauseFlushMs: 10_000,
        tools: [{ kind: "http", name: "slow", description: "Slow.", url: api }],
      },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Look" });
    await isAsked;
    await caller.next("mark");
    caller.send({ type: "text", text: "Never mind" });
    expect(await caller.said("assistant")).toMatchObject({ text: "One moment", turn: 1 });
    expect(await caller.said("assistant")).toMatchObject({ text: "All right.", turn: 2 });
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    const events = await gateway.eventsOf(sessionId);
    expect(events.filter((event) => event.type === "call.tool_invoked")).toMatchObject([
      { turn: 1, name: "slow", status: "abandoned" },
    ]);
  });

  it("says the fallback line when the model answers with nothing", async () => {
    const fake = await model(() => ({}));
    const { websocketUrl } = await gateway.createSession({
      brain: { kind: "model", model: "fake", prompt: "Be kind.", url: fake.url, fallbackLine: "Pardon?" },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.next("error")).toMatchObject({ code: "brain_failed", fatal: false });
    expect(await caller.said("assistant")).toMatchObject({ text: "Pardon?" });
    caller.drop();
  });

  it("says the fallback line when the model fails, and counts a transfer it asks for", async () => {
    const fake = await model(({ messages }) =>
      messages.at(-1)?.content === "Hello"
        ? { error: { status: 401, code: "invalid_api_key" } }
        : {
            text: "I will connect you.",
            calls: [{ name: "transfer", arguments: '{"destination":"sales"}' }],
          },
    );
    const { websocketUrl, sessionId } = await gateway.createSession({
      brain: {
        kind: "model",
        model: "fake",
        prompt: "Be kind.",
        url: fake.url,
        fallbackLine: "One moment, please.",
        tools: [{ kind: "transfer", destinations: [{ name: "sales", number: "+4930123456" }] }],
      },
    });
    const caller = await TestCaller.start(websocketUrl, { acknowledges: true });
    caller.send({ type: "text", text: "Hello" });
    expect(await caller.next("error")).toMatchObject({ code: "brain_failed", fatal: false });
    expect(await caller.said("assistant")).toMatchObject({ text: "One moment, please." });
    caller.send({ type: "text", text: "Sales, please" });
    expect(await caller.said("assistant")).toMatchObject({ text: "I will connect you." });
    expect((await gateway.metrics.brainTransfersTotal.get()).values[0]?.value).toBe(1);
    caller.send({ type: "hangup" });
    await caller.untilClosed();
    expect((await gateway.eventsOf(sessionId)).map(({ type }) => type)).toContain("call.tool_invoked");
  });
});
