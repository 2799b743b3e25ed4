import type { BrainTest, BrainTestPart } from "@parley/shared/contracts/agents.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { answering, chat, contentsOf, lookTool, serve } from "../../../testkit/model-brain.ts";
import type { TestOrganization } from "../../../testkit/organization.ts";

const CALLS = [{ name: "look", arguments: '{"day":"today"}' }];

let api: TestControlApi;
let acme: TestOrganization;

beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  acme = await api.createOrganization();
});
afterAll(() => api.close());

/** Tests a new agent whose brain is a model at `url`. */
async function tested(
  brain: Record<string, unknown>,
  body: Record<string, unknown> = {},
): Promise<BrainTest> {
  const model = { kind: "model", model: "m", prompt: "You talk to {name}.", secret: "model-key", ...brain };
  const options = { key: acme.keys.owner, body: { name: "Anna", brain: model } };
  const made = await api.call("POST", "/api/agents", options);
  expect(made.status, made.text).toBe(201);
  const path = `/api/agents/${(made.body.data as { id: string }).id}/test-brain`;
  const question = { query: "Any table?", variables: { name: "Ada" }, ...body };
  const answer = await api.call("POST", path, { key: acme.keys.developer, body: question });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data as BrainTest;
}

const shown = (parts: readonly BrainTestPart[]) =>
  parts.map((part) => (part.type === "token" ? part.text : part.control));

/** A model that asks an endpoint of ours before it answers; `seen` is what the endpoint was asked. */
async function lookingModel() {
  const seen: string[] = [];
  const url = await serve((_req, res, body) => {
    seen.push(body);
    res.end('{"free":["18:00"]}');
  });
  const fake = await chat(answering({ text: "Let me look. ", calls: CALLS }, { text: "At six." }));
  return { seen, fake, brain: { url: fake.url, tools: [lookTool({ url })] } };
}

describe("testing a model", () => {
  it("shows its tokens with their times, and asks as a call would: with prompt, variables and key", async () => {
    const fake = await chat(answering({ text: "At six or at eight." }), "model-key");
    const result = await tested({ url: fake.url });
    expect(result).toMatchObject({ ok: true, text: "At six or at eight.", tries: 1, error: null });
    expect(shown(result.parts)).toEqual(["At ", "six ", "or ", "at ", "eight."]);
    expect(result.firstTokenMs).toBe(result.parts[0]?.atMs);
    expect(result.totalMs).toBeGreaterThanOrEqual(Number(result.parts.at(-1)?.atMs));
    expect(contentsOf(fake.asked[0])).toEqual(["system: You talk to Ada.", "user: Any table?"]);
  });

  it("shows which tool it calls for, with what, and ends there: nobody's endpoint is called", async () => {
    const { seen, fake, brain } = await lookingModel();
    const result = await tested(brain);
    expect(shown(result.parts)).toMatchObject([
      "Let ",
      "me ",
      "look. ",
      { event: "flush" },
      {
        event: "tool",
        name: "look",
        arguments: { day: "today" },
        status: "abandoned",
        result: { error: { code: "not_run" } },
      },
    ]);
    expect(result).toMatchObject({ ok: true, text: "Let me look. ", error: null });
    expect(seen).toEqual([]);
    expect(fake.asked).toHaveLength(1);
  });

  it("calls its tools when it is told to, and shows what they gave and what the model made of it", async () => {
    const { seen, fake, brain } = await lookingModel();
    const result = await tested(brain, { runTools: true });
    expect(shown(result.parts)).toMatchObject([
      "Let ",
      "me ",
      "look. ",
      { event: "flush" },
      { event: "tool", name: "look", result: { free: ["18:00"] }, status: "success" },
      "At ",
      "six.",
    ]);
    expect(result.text).toBe("Let me look. At six.");
    expect(seen).toEqual(['{"day":"today"}']);
    expect(contentsOf(fake.asked[1]).at(-1)).toBe('tool: {"free":["18:00"]}');
  });

  it("shows what it would do to a call: keys and a transfer", async () => {
    const fake = await chat(
      answering(
        { calls: [{ name: "play_keys", arguments: '{"digits":"42#"}' }] },
        { calls: [{ name: "transfer", arguments: '{"destination":"sales"}' }] },
      ),
    );
    const sales = { kind: "transfer", destinations: [{ name: "sales", number: "+4930123456" }] };
    const result = await tested({ url: fake.url, tools: [{ kind: "play_keys" }, sales] });
    expect(shown(result.parts)).toMatchObject([
      { event: "flush" },
      { event: "tool", name: "play_keys", status: "success" },
      { event: "dtmf", digits: "42#" },
      { event: "flush" },
      { event: "tool", name: "transfer", status: "success" },
      { event: "transfer", to: "+4930123456" },
    ]);
  });

  it("that refuses its key is told in words, without what the service said", async () => {
    const fake = await chat(answering({ text: "Hello." }), "another-key");
    const result = await tested({ url: fake.url });
    expect(result).toMatchObject({ ok: false, firstTokenMs: null, error: { failure: "status" } });
    expect(result.error?.message).toMatch(/401/);
    expect(JSON.stringify(result)).not.toContain("may repeat the key");
  });
});
