import type { ServerResponse } from "node:http";
import { type Rehearsal, rehearsalsResponseSchema } from "@parley/shared/contracts/rehearsals.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { TestBrain } from "../../../testkit/brain.ts";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { ChatModel } from "../../../testkit/fakes/chat-completions.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { chat, lookTool, serve } from "../../../testkit/model-brain.ts";
import { TestReceiver } from "../../../testkit/receiver.ts";

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  members = await TestMembers.create(api);
});
afterAll(() => api.close());

const SOON = { timeout: 90_000 };

async function asked(method: "GET" | "POST", path: string, body?: object) {
  const { people, orgId } = members;
  const answer = await people.developer.call(method, path, body, orgId);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data as Record<string, unknown>;
}

async function rehearse(agentId: string, scenarios: object[]) {
  const body = await asked("POST", `/api/agents/${agentId}/simulations`, { scenarios });
  return rehearsalsResponseSchema.shape.data.parse(body);
}

async function fromTemplate(id: string): Promise<string> {
  const made = await asked("POST", `/api/orgs/${members.orgId}/templates/${id}/agents`, {});
  return String(made.agentId);
}

/** Somebody who books an appointment. */
const BOOKS = {
  answers: [
    { to: "what is it for", say: "A haircut" },
    { to: "which day", say: "tomorrow" },
    { to: "morning", say: "in the afternoon" },
    { to: "your name", say: "Ada" },
    { to: "is that right", say: "yes" },
    { to: "which number", say: "030 123456" },
  ],
};
const IS_BOOKED = [
  { kind: "says", text: "we confirm it on 030123456" },
  { kind: "reaches", node: "done" },
  { kind: "ends" },
  { kind: "never_says", text: "did not get that" },
  { kind: "within_turns", turns: 6 },
];

describe("rehearsals", () => {
  it("are held side by side without a key, and one that goes wrong shows the sentence", async () => {
    const agentId = await fromTemplate("appointment");
    const good = Array.from({ length: 19 }, (_, i) => ({
      name: `books ${i}`,
      caller: BOOKS,
      criteria: IS_BOOKED,
    }));
    const answers = BOOKS.answers.map((one) => (one.to === "which day" ? { ...one, say: "whenever" } : one));
    const bad = { name: "knows no day", caller: { answers }, criteria: IS_BOOKED, maxTurns: 8 };
    const report = await rehearse(agentId, [...good, bad]);
    expect(report).toMatchObject({ agentId, agentVersion: 1, passed: 19, total: 20 });
    expect(report.tookMs).toBeLessThan(120_000);
    expect(report.rehearsals.map(({ name }) => name)).toEqual([...good.map(({ name }) => name), bad.name]);
    const [first] = report.rehearsals;
    expect(first).toMatchObject({ endReason: "flow_end", turns: 6, error: null });
    expect(first?.path).toEqual([
      "hello",
      "service",
      "day",
      "time",
      "who",
      "check",
      "decide",
      "number",
      "done",
    ]);
    const failed = report.rehearsals.at(-1) as Rehearsal;
    expect(failed.passed).toBe(false);
    expect(failed.criteria.map(({ passed }) => passed)).toEqual([false, false, true, false, true]);
    expect(failed.criteria[1]?.because).toBe(
      'The flow never came to "done"; it ended at "callback_done" with: "Thank you. Somebody calls you back on 030123456. Goodbye."',
    );
    expect(failed.criteria[3]?.because).toBe(
      'The agent said: "Sorry, I did not get that. Which day suits you?"',
    );
  });

  it("are held ten at a time: none is answered before ten have asked", async () => {
    const asking: ServerResponse[] = [];
    const url = await serve((_request, response) => {
      asking.push(response);
      if (asking.length < 10) return;
      for (const one of asking.splice(0))
        one.writeHead(200, { "content-type": "text/event-stream" }).end('data: "Hello."\n\ndata: [DONE]\n\n');
    });
    const made = await asked("POST", "/api/agents", {
      name: "Slow",
      brain: { url, firstTokenTimeoutMs: 30_000 },
    });
    const scenarios = Array.from({ length: 20 }, (_, nr) => ({
      ...{ name: `greets ${nr}`, caller: { otherwise: ["Hi"] } },
      criteria: [{ kind: "says", text: "hello" }],
    }));
    expect(await rehearse(String(made.id), scenarios)).toMatchObject({ passed: 20, total: 20 });
  });

  it("of every template pass as they come, also of a team's agents, who hand the caller on", async () => {
    const templates = [
      "receptionist",
      "appointment",
      "order-status",
      "lead-qualification",
      "survey",
      "after-hours",
    ];
    const own = await Promise.all(templates.map(fromTemplate));
    const team = await asked("POST", `/api/orgs/${members.orgId}/team-templates/front-desk/agents`);
    const made = [...own, ...(team.agents as { agentId: string }[]).map(({ agentId }) => agentId)];
    for (const agentId of made) {
      const report = await asked("POST", `/api/agents/${agentId}/simulations`, {});
      const { passed, total, rehearsals } = rehearsalsResponseSchema.shape.data.parse(report);
      const failed = rehearsals.filter((one) => !one.passed);
      expect(failed.map(({ name, criteria, transcript }) => ({ name, criteria, transcript }))).toEqual([]);
      expect([passed, total >= 2]).toEqual([total, true]);
    }
  });

  it("are told of by what was said and which tools ran, not as calls that began or ended", async () => {
    const receiver = await TestReceiver.answering();
    onTestFinished(() => receiver.close());
    const { orgId, keys } = members;
    const agentId = await fromTemplate("order-status");
    const hooks = `/api/orgs/${orgId}/webhooks`;
    const made = await api.call("POST", hooks, { key: keys.owner, body: { url: receiver.url, agentId } });
    const { id } = made.body.data as { id: string };
    const scenario = {
      name: "asks",
      caller: { otherwise: ["1001", "no thanks"] },
      criteria: [{ kind: "ends" }],
    };
    const orders = [{ number: "1001", status: "shipped" }];
    const report = await rehearse(agentId, [
      { ...scenario, tools: [{ name: "find_order", result: { orders } }] },
    ]);
    const [held] = report.rehearsals;
    expect(held).toMatchObject({ passed: true, tools: [{ name: "find_order", status: "success" }] });
    const told = async () => {
      const listed = await api.call("GET", `${hooks}/${id}/deliveries?limit=100`, { key: keys.owner });
      const { deliveries } = listed.body.data as { deliveries: { event: string }[] };
      return deliveries.map(({ event }) => event).toSorted();
    };
    const said = held?.transcript.map(() => "transcript.ready") ?? [];
    await expect.poll(told, SOON).toEqual(["tool.invoked", ...said]);
    await expect.poll(() => receiver.received.length, SOON).toBe(said.length + 1);
    const sessionId = held?.sessionId;
    const payloads = receiver.received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    for (const payload of payloads) expect(payload).toMatchObject({ sessionId, agentId });
    expect(payloads.find(({ event }) => event === "tool.invoked")).toMatchObject({
      ...{ name: "find_order", status: "success", result: { orders } },
    });
    const { body: record } = await api.call("GET", `/api/v1/calls/${sessionId}`, { key: keys.viewer });
    expect(record).toMatchObject({ channel: "simulation", status: "completed", endReason: "flow_end" });
    expect((record.path as { node: string }[]).map(({ node }) => node)).toEqual(held?.path);
    expect(record.transcript).toHaveLength(said.length);
  });

  it("give tools' results by the scenario, call nothing for real, and let a model talk", async () => {
    const model: ChatModel = ({ messages }) => {
      const { role, content } = messages.at(-1) ?? {};
      if (role === "tool") return { text: String(content).includes("18:00") ? "At six." : "I cannot look." };
      return { calls: [{ name: "look", arguments: '{"day":"today"}' }] };
    };
    const fake = await chat(model, "sk-1");
    const tools = [lookTool({ url: "http://127.0.0.1:9/nobody" })];
    const brain = { kind: "model", model: "m", prompt: "Help.", url: fake.url, secret: "sk-1", tools };
    const made = await asked("POST", "/api/agents", { name: "Tables", brain });
    const caller = { otherwise: ["Any table?"] };
    const report = await rehearse(String(made.id), [
      {
        name: "has one",
        caller,
        tools: [{ name: "look", result: { free: ["18:00"] } }],
        criteria: [
          { kind: "says", text: "at six" },
          { kind: "calls_tool", tool: "look" },
        ],
      },
      { name: "was not told", caller, criteria: [{ kind: "says", text: "at six" }] },
    ]);
    expect(report.rehearsals.map(({ passed, endReason }) => [passed, endReason])).toEqual([
      [true, "hangup"],
      [false, "hangup"],
    ]);
    expect(report.rehearsals[1]?.criteria[0]?.because).toBe(
      'The agent never said "at six"; its last words were: "I cannot look."',
    );
    expect(report.rehearsals.flatMap(({ tools: used }) => used)).toEqual([
      { name: "look", status: "success" },
      { name: "look", status: "error" },
    ]);
  });

  it("of an agent whose brain fails have failed, and say why", async () => {
    const brain = {
      kind: "model",
      model: "m",
      prompt: "Help.",
      url: "http://127.0.0.1:9/v1",
      secret: "sk-1",
    };
    const made = await asked("POST", "/api/agents", { name: "Broken", brain });
    const criteria = [{ kind: "never_says", text: "hello" }];
    const report = await rehearse(String(made.id), [{ name: "x", caller: { otherwise: ["Hi"] }, criteria }]);
    expect(report.rehearsals[0]).toMatchObject({ passed: false, endReason: "brain_failed" });
    expect(report.rehearsals[0]?.error).toContain("cannot be reached");
  });

  it("of an agent that is deleted meanwhile are refused as those of one that was never there", async () => {
    const { people, orgId } = members;
    let agent = "";
    let removed = 0;
    const brain = await TestBrain.start((turn) => {
      void people.developer.call("DELETE", agent, undefined, orgId).then(({ status }) => {
        removed = status;
        turn.token("Hello.");
        turn.done();
      });
    });
    onTestFinished(() => brain.close());
    const made = await asked("POST", "/api/agents", { name: "Brief", brain: { url: brain.url } });
    agent = `/api/agents/${made.id}`;
    const criteria = [{ kind: "says", text: "hello" }];
    const scenarios = [{ name: "x", caller: { otherwise: ["Hi"] }, criteria }];
    const answer = await people.developer.call("POST", `${agent}/simulations`, { scenarios }, orgId);
    expect(removed).toBe(200);
    expect([answer.status, answer.text]).toEqual([404, expect.stringContaining("was deleted")]);
  });
});
