import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installApp, TestBridge } from "../../../testkit/apps.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { type ChatModel, type FakeChat, startFakeChat } from "../../../testkit/fakes/chat-completions.ts";
import { TestPerson } from "../../../testkit/person.ts";

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
