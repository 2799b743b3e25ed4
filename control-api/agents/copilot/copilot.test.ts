import { copilotResponseSchema, draftedAgentSchema } from "@parley/shared/contracts/copilot.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { ChatAsked, ChatModel } from "../../../testkit/fakes/chat-completions.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { chat } from "../../../testkit/model-brain.ts";

const FLOW = {
  start: "day",
  nodes: [
    { id: "day", type: "ask", text: "On which day?", save: "day", answer: { type: "date" } },
    { id: "done", type: "end", text: "See you on {day}." },
    { id: "sorry", type: "end", text: "Please call again." },
  ],
  edges: [
    { from: "day", to: "done" },
    { from: "day", on: "no_answer", to: "sorry" },
  ],
};
const SCENARIO = {
  name: "books",
  caller: { answers: [{ to: "which day", say: "tomorrow" }], otherwise: null },
  criteria: [{ kind: "reaches", node: "done" }],
};
const DRAFT = {
  summary: "It asks for the day.",
  prompt: null,
  flow: FLOW,
  variables: [{ name: "shop", required: true }],
  fields: [{ key: "day", description: "The day of the appointment" }],
  scenarios: [SCENARIO],
};
const WISH = { wish: "It should take appointments." };

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
});
afterAll(() => api.close());

const ask = (method: "GET" | "POST" | "PATCH", path: string, body?: object) =>
  members.people.developer.call(method, path, body, members.orgId);

/** An agent of an organization of its own, whose model is this one. */
async function agentOf(model: ChatModel, brain: object = {}) {
  members = await TestMembers.create(api);
  const fake = await chat(model, "sk-1");
  const settings = { kind: "model", model: "m-1", prompt: "Talk.", url: fake.url, secret: "sk-1", ...brain };
  const made = await ask("POST", "/api/agents", { name: "Ada", brain: settings });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const { id } = made.body.data as { id: string };
  return { id, path: `/api/agents/${id}/copilot`, fake };
}

async function drafted(path: string, body: object = WISH) {
  const { status, body: answer } = await ask("POST", path, body);
  expect(status, JSON.stringify(answer)).toBe(200);
  return draftedAgentSchema.parse(answer.data);
}

/** Says these one after the other, the last one for good. */
const saying =
  (...answers: readonly unknown[]): ChatModel =>
  ({ messages }) => {
    const at = Math.min(messages.filter(({ role }) => role === "assistant").length, answers.length - 1);
    const answer = answers[at];
    return { text: typeof answer === "string" ? answer : JSON.stringify(answer) };
  };
const told = ({ messages }: ChatAsked) => messages.map(({ content }) => String(content)).join("\n");

describe("a draft of an agent", () => {
  it("has prompt, fields, flow and scenarios as parts, each a change that is saved once it is accepted", async () => {
    const { id, path, fake } = await agentOf(saying(`\`\`\`json\n${JSON.stringify(DRAFT)}\n\`\`\``), {
      ...{ kind: "flow", flow: FLOW, prompt: undefined },
    });
    const draft = await drafted(path);
    expect(draft).toMatchObject({
      agentVersion: 1,
      model: "m-1",
      wasRepaired: false,
      summary: DRAFT.summary,
    });
    expect(draft.parts.map(({ part, alone }) => [part, alone])).toEqual([
      ["flow", null],
      ["variables", null],
      ["fields", null],
      ["scenarios", null],
    ]);
    expect(fake.asked[0]).toMatchObject({ model: "m-1", response_format: { type: "json_object" } });
    expect(told(fake.asked[0] as ChatAsked)).toContain(WISH.wish);
    expect(told(fake.asked[0] as ChatAsked)).not.toContain("sk-1");
    const before = (await ask("GET", `/api/agents/${id}`)).body.data;
    expect(before).toMatchObject({ version: 1, variables: [], rehearsals: { scenarios: [] } });

    const [, , , scenarios] = draft.parts;
    const stale = { ...scenarios?.patch, version: 7 };
    expect((await ask("PATCH", `/api/agents/${id}`, stale)).status).toBe(409);
    const accepted = { ...scenarios?.patch, version: draft.agentVersion };
    expect((await ask("PATCH", `/api/agents/${id}`, accepted)).body.data).toMatchObject({
      ...{ version: 2, variables: [] },
      rehearsals: { scenarios: [{ name: "books", caller: { otherwise: [] } }] },
    });
    const report = await ask("POST", `/api/agents/${id}/simulations`, {});
    expect(report.body.data).toMatchObject({ passed: 1, total: 1 });
  });

  it("changes the prompt of a model, and comes on top of what is not saved yet", async () => {
    const { path, fake } = await agentOf(saying({ summary: "Shorter.", prompt: "Talk briefly." }));
    const draft = await drafted(path, { ...WISH, draft: { firstResponse: "Salon Ada." } });
    expect(draft.parts).toEqual([
      { part: "prompt", patch: { brain: { prompt: "Talk briefly." } }, alone: null },
    ]);
    expect(told(fake.asked[0] as ChatAsked)).toContain("Salon Ada.");
  });

  it("says of a part that it cannot be saved without another", async () => {
    const end = { id: "done", type: "end", text: "{shop} is closed." };
    const flow = { start: "done", nodes: [end] };
    const { path } = await agentOf(saying({ summary: "s", flow, variables: [{ name: "shop" }] }));
    const draft = await drafted(path);
    expect(draft.parts).toMatchObject([
      { part: "flow", patch: { brain: { kind: "flow" } }, alone: expect.stringContaining("shop") },
      { part: "variables", alone: null },
    ]);
  });

  it.each([
    ["is no JSON", "I would rather talk about it.", ""],
    [
      "has a fault in its flow",
      { ...DRAFT, flow: { ...FLOW, edges: [{ from: "day", to: "done" }] } },
      "no_answer",
    ],
    ["has a field that nobody knows", { ...DRAFT, moods: [] }, "moods"],
    [
      "rehearses a node that is not there",
      { ...DRAFT, scenarios: [{ ...SCENARIO, criteria: [{ kind: "reaches", node: "paid" }] }] },
      "paid",
    ],
    [
      "transfers to a number that it made up",
      {
        ...DRAFT,
        flow: {
          ...FLOW,
          nodes: [...FLOW.nodes.slice(0, 2), { id: "sorry", type: "transfer", to: "+4930123456" }],
          edges: [...FLOW.edges, { from: "sorry", on: "failed", to: "done" }],
        },
      },
      "number",
    ],
    ["proposes nothing", { summary: "All is well." }, "summary"],
  ])("that %s is asked for once more, with what is wrong", async (_, wrong, named) => {
    const { path, fake } = await agentOf(saying(wrong, DRAFT));
    expect(await drafted(path)).toMatchObject({ wasRepaired: true, summary: DRAFT.summary });
    expect(fake.asked).toHaveLength(2);
    const repair = String(fake.asked[1]?.messages.at(-1)?.content);
    expect(repair).toMatch(/^That answer cannot be used: ./);
    expect(repair).toContain(named);
  });

  it("that is wrong twice is refused in words, and nothing is saved", async () => {
    const { id, path, fake } = await agentOf(saying({ ...DRAFT, flow: { ...FLOW, start: "nowhere" } }));
    const { status, body } = await ask("POST", path, WISH);
    expect([status, body]).toMatchObject([502, { code: "vendor_failed" }]);
    expect(JSON.stringify(body)).toMatch(/also after a second try.*nowhere/);
    expect(fake.asked).toHaveLength(2);
    expect((await ask("GET", `/api/agents/${id}`)).body.data).toMatchObject({ version: 1 });
  });

  it("tells why a service did not answer", async () => {
    const { path } = await agentOf(() => ({ error: { status: 401, code: "invalid_api_key" } }));
    const { status, body } = await ask("POST", path, WISH);
    expect([status, body]).toMatchObject([502, { code: "vendor_rejected" }]);
    expect(JSON.stringify(body)).toContain("401 (invalid_api_key)");
  });
});

describe("the model that drafts", () => {
  it("is the agent's own, else one of the organization's; a flow does not get one that another agent pays", async () => {
    const { path, fake } = await agentOf(saying(DRAFT));
    const flowAgent = await ask("POST", "/api/agents", { name: "F", brain: { kind: "flow", flow: FLOW } });
    const other = `/api/agents/${(flowAgent.body.data as { id: string }).id}/copilot`;
    for (const one of [path, other]) {
      const { models, mayName } = copilotResponseSchema.shape.data.parse((await ask("GET", one)).body.data);
      expect([models, mayName]).toEqual([["m-1"], false]);
    }
    expect((await drafted(other)).model).toBe("m-1");
    expect(told(fake.asked[0] as ChatAsked)).toContain("This agent has no model");
  });

  it("is asked for in words where there is none", async () => {
    members = await TestMembers.create(api);
    const made = await ask("POST", "/api/agents", { name: "F", brain: { kind: "flow", flow: FLOW } });
    const path = `/api/agents/${(made.body.data as { id: string }).id}/copilot`;
    expect((await ask("GET", path)).body.data).toEqual({ models: [], mayName: false });
    const { status, body } = await ask("POST", path, WISH);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("OPENAI_API_KEY")]);
    expect((await ask("POST", path, { wish: " " })).status).toBe(400);
    expect((await ask("POST", "/api/agents/agt_none/copilot", WISH)).status).toBe(404);
    const key = (await api.createOrganization()).keys.owner;
    expect((await api.call("POST", path, { key, body: WISH })).status).toBe(401);
  });
});
