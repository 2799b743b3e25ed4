import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type ChatModel, type FakeChat, startFakeChat } from "../../../testkit/fakes/chat-completions.ts";
import { TestPerson } from "../../../testkit/person.ts";

const SOON = { timeout: 90_000 };
const request = { tier: "smart", maxTokens: 50, messages: [{ role: "user", content: "What is a table?" }] };

let answer: ChatModel = () => ({ text: "A thing to eat at." });
let fake: FakeChat;
let api: TestControlApi;
let person: TestPerson;
let bridge: TestBridge;
beforeAll(async () => {
  fake = await startFakeChat({ model: (asked) => answer(asked), apiKey: "sk-operator" });
  api = await TestControlApi.start({ env: { OPENAI_BASE_URL: fake.url, OPENAI_API_KEY: "sk-operator" } });
  person = await TestPerson.register(api);
  bridge = await TestBridge.open(person, await installApp(person, { scopes: ["ai:llm"] }));
});
afterAll(async () => {
  await api.close();
  fake.close();
});

const usage = () =>
  api.database.db
    .selectFrom("usage_rows")
    // Calls of the bridge are counted by the second, beside what models take.
    .where("metric", "<>", "app_calls")
    .select(["metric", "vendor", "channel", "quantity", "amount"])
    .where("org_id", "=", person.orgId)
    .orderBy("metric")
    .execute();

describe("a model that an app asks", () => {
  it("is none where the organization has none, and says so", async () => {
    expect(await bridge.call("ai.models")).toMatchObject({
      models: [],
      tiers: [{ model: null }, { model: null }],
    });
    await expect(bridge.call("ai.llm", { request })).rejects.toMatchObject({ code: "unavailable" });
    expect(await usage()).toEqual([]);
  });

  it("is the one that the newest of its agents asks, and each answer is metered with its cost", async () => {
    const brain = { kind: "model", model: "m-1", prompt: "Be brief." };
    await person.call("POST", "/api/agents", { name: "Front desk", brain });
    const price = { org_id: person.orgId, metric: "llm_output_tokens", vendor: "m-1", micros: 3n, per: 1n };
    const at = "2026-01-01T00:00:00Z";
    await api.database.db
      .insertInto("prices")
      .values({ ...price, id: "prc_llm", from_at: at, created_at: at })
      .execute();
    expect(await bridge.call("ai.models")).toMatchObject({
      models: [{ id: "m-1", provider: "127.0.0.1" }],
      tiers: [{ tier: "fast", model: "m-1" }, { model: "m-1" }],
    });
    const said = (await bridge.call("ai.llm", { request })) as {
      text: string;
      usage: { inputTokens: number; outputTokens: number };
    };
    expect(said.text).toBe("A thing to eat at.");
    expect(fake.asked.at(-1)).toMatchObject({ model: "m-1", max_tokens: 50, messages: request.messages });
    const { inputTokens, outputTokens } = said.usage;
    expect(outputTokens).toBeGreaterThan(0);
    const about = { vendor: "m-1", channel: "app" };
    expect(
      (await usage()).map((row) => ({ ...row, quantity: Number(row.quantity), amount: Number(row.amount) })),
    ).toEqual([
      { metric: "llm_input_tokens", ...about, quantity: inputTokens, amount: 0 },
      { metric: "llm_output_tokens", ...about, quantity: outputTokens, amount: expect.any(Number) },
    ]);
    expect(Number((await usage())[1]?.amount)).toBeGreaterThan(0);
  });

  it("that fails is told so, and costs nothing", async () => {
    const before = await usage();
    answer = () => ({ error: { status: 500, code: "server_error" } });
    await expect(bridge.call("ai.llm", { request })).rejects.toMatchObject({ code: "vendor_failed" });
    expect(await usage()).toEqual(before);
  });
});

/** An answer that begins, and to which this happens then. */
const brokenBy = (then: "die" | "error" | "stall"): ReturnType<ChatModel> => ({ text: "A thing", then });

describe("an answer that streams", () => {
  it("comes in pieces and then whole, and is metered as the service counts it", async () => {
    answer = () => ({ text: "A thing to eat at." });
    const before = await usage();
    const tokens: unknown[] = [];
    const said = await bridge.stream("ai.llmStream", { request }, { onEvent: (event) => tokens.push(event) });
    expect(tokens).toEqual(["A ", "thing ", "to ", "eat ", "at."].map((token) => ({ token })));
    expect(said).toEqual({ text: "A thing to eat at.", usage: { inputTokens: 1, outputTokens: 1 } });
    expect(fake.asked.at(-1)).toMatchObject({ model: "m-1", max_tokens: 50, stream: true });
    expect((await usage()).length - before.length).toBe(2);
  });

  it("comes from a service that refuses to be asked for a count, and is metered by what was written", async () => {
    answer = ({ stream_options: asked }) =>
      asked ? { error: { status: 400, code: "unknown_parameter" } } : { text: "A thing." };
    const before = await usage();
    expect(await bridge.stream("ai.llmStream", { request })).toMatchObject({ text: "A thing." });
    expect((await usage()).length - before.length).toBe(2);
  });

  it.each([
    ["is refused", { error: { status: 500, code: "server_error" } }, 0],
    ["breaks off", brokenBy("die"), 2],
    ["has an error in the place of a piece", brokenBy("error"), 2],
  ] as const)("that %s is told so, and only what was written is charged", async (_, failing, rows) => {
    const before = await usage();
    answer = () => failing;
    await expect(bridge.stream("ai.llmStream", { request })).rejects.toMatchObject({
      code: "vendor_failed",
    });
    expect((await usage()).length - before.length).toBe(rows);
  });

  it("that nobody waits for any more ends the request to the model, and charges what was written", async () => {
    const before = await usage();
    const abandoned = fake.abandoned();
    answer = () => brokenBy("stall");
    const stop = new AbortController();
    const asked = bridge.stream(
      "ai.llmStream",
      { request },
      { onEvent: () => stop.abort(), signal: stop.signal },
    );
    await expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(fake.abandoned() - abandoned).toBe(1), SOON);
    await vi.waitFor(async () => expect((await usage()).length - before.length).toBe(2), SOON);
  });

  it("is not brought as a call of one answer, and needs its scope", async () => {
    await expect(bridge.call("ai.llmStream", { request })).rejects.toMatchObject({
      code: "invalid_arguments",
    });
    const bare = await TestBridge.open(person, await installApp(person, { id: "bare-app" }));
    await expect(bare.stream("ai.llmStream", { request })).rejects.toMatchObject({ code: "scope_missing" });
  });
});
