import { type RehearsalReport, rehearsalsResponseSchema } from "@parley/shared/contracts/rehearsals.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { flowOf } from "../../../testkit/flows.ts";
import { TestMembers } from "../../../testkit/members.ts";

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  api = await TestControlApi.start();
  members = await TestMembers.create(api);
});
afterAll(() => api.close());

const SCENARIO = {
  name: "asks for the hours",
  caller: { answers: [{ to: "help", say: "When are you open?" }] },
  criteria: [{ kind: "says", text: "until six" }],
};
const answering = (text: string) => ({
  kind: "flow",
  flow: flowOf({
    hello: { type: "say", text: "Hello, how can I help?", next: "listen" },
    listen: { type: "wait", next: "bye" },
    bye: { type: "end", text },
  }),
});

type Who = "owner" | "developer" | "viewer";

function ask(method: "GET" | "POST" | "PATCH", path: string, body?: object, who: Who = "developer") {
  return members.people[who].call(method, path, body, members.orgId);
}

async function agentWith(rehearsals: object): Promise<string> {
  const made = await ask("POST", "/api/agents", {
    name: "Ada",
    brain: answering("We are open until six."),
    rehearsals,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return `/api/agents/${(made.body.data as { id: string }).id}`;
}

async function rehearsed(agent: string, body: object = {}): Promise<RehearsalReport> {
  const answer = await ask("POST", `${agent}/simulations`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return rehearsalsResponseSchema.shape.data.parse(answer.body.data);
}

describe("a report of rehearsals", () => {
  it("is kept, listed and read, and says what changed since the agent was another", async () => {
    const agent = await agentWith({ scenarios: [SCENARIO] });
    const first = await rehearsed(agent);
    expect(first).toMatchObject({ agentVersion: 1, ofDraft: false, isOwn: true, passed: 1, total: 1 });
    expect(first.changes).toMatchObject([{ name: SCENARIO.name, kind: "new", because: null }]);
    const brain = answering("We are open until five.");
    expect((await ask("PATCH", agent, { brain })).status).toBe(200);
    const second = await rehearsed(agent);
    expect(second.changes).toEqual([
      {
        ...{ name: SCENARIO.name, kind: "broke", slowestMs: expect.any(Number), node: null },
        because: 'The agent never said "until six"; its last words were: "We are open until five."',
        before: expect.objectContaining({ reportId: first.reportId, agentVersion: 1, ofDraft: false }),
        said: { before: "We are open until six.", now: "We are open until five." },
      },
    ]);
    // The same agent once more: it is compared with the one before, not with itself.
    expect((await rehearsed(agent)).changes).toMatchObject([{ kind: "broke" }]);
    const { body } = await ask("GET", `${agent}/simulations?limit=2`, undefined, "viewer");
    expect(body.data).toMatchObject({ total: 3, reports: [{ passed: 0 }, { reportId: second.reportId }] });
    const read = await ask("GET", `${agent}/simulations/${second.reportId}`, undefined, "viewer");
    expect(read.body.data).toEqual(second);
    expect((await ask("GET", `${agent}/simulations/rhs_none`)).status).toBe(404);
  });

  it("of a change that is not saved leaves the agent as it is, and refuses what could not be saved", async () => {
    const agent = await agentWith({});
    const draft = { brain: answering("Closed.") };
    const report = await rehearsed(agent, { draft, scenarios: [SCENARIO] });
    expect(report).toMatchObject({ agentVersion: 1, ofDraft: true, isOwn: false, passed: 0 });
    expect(report.rehearsals[0]?.transcript.at(-1)?.text).toBe("Closed.");
    expect((await ask("GET", agent)).body.data).toMatchObject({ version: 1 });
    const wrong = { draft: { brain: { flow: { start: "nowhere" } } }, scenarios: [SCENARIO] };
    expect((await ask("POST", `${agent}/simulations`, wrong)).status).toBe(400);
    const none = await ask("POST", `${agent}/simulations`, {});
    expect([none.status, JSON.stringify(none.body)]).toEqual([
      400,
      expect.stringContaining("rehearsals.scenarios"),
    ]);
  });
});

describe("a change of an agent that hands over", () => {
  it("is rehearsed as it would be also where the caller is handed back to it", async () => {
    const first = await agentWith({});
    const back = flowOf({
      back: { type: "hand_off", agentId: first.split("/").at(-1) ?? "", failed: "lost" },
      lost: { type: "end", text: "Lost." },
    });
    const made = await ask("POST", "/api/agents", { name: "Eve", brain: { kind: "flow", flow: back } });
    const eve = (made.body.data as { id: string }).id;
    // As it is saved it would ask how it can help.
    const flow = flowOf({
      hello: { type: "say", text: "Hello.", next: "listen" },
      listen: { type: "wait", save: "wish", next: "pass" },
      pass: { type: "hand_off", agentId: eve, failed: "bye" },
      bye: { type: "end", text: "Bye." },
    });
    const scenario = {
      ...{ name: "comes back", maxTurns: 1, caller: { otherwise: ["Eve, please"] } },
      criteria: [{ kind: "never_says", text: "how can I help" }],
    };
    const report = await rehearsed(first, {
      draft: { brain: { kind: "flow", flow } },
      scenarios: [scenario],
    });
    const [held] = report.rehearsals;
    expect(held?.path.slice(0, 5)).toEqual(["hello", "listen", "pass", "back", "hello"]);
    expect(held?.criteria).toMatchObject([{ passed: true }]);
  });
});

describe("an agent whose rehearsals are required", () => {
  const GATED = { scenarios: [SCENARIO], required: true };

  it("is changed once they passed with that change, and says by which sentence they did not", async () => {
    const agent = await agentWith(GATED);
    const draft = { brain: answering("We are open until five.") };
    const unheld = await ask("PATCH", agent, draft);
    expect(unheld).toMatchObject({ status: 409, body: { code: "not_rehearsed" } });
    await rehearsed(agent, { draft });
    const red = await ask("PATCH", agent, draft);
    expect(red.status).toBe(409);
    expect(JSON.stringify(red.body).replaceAll('\\"', '"')).toContain(
      'the rehearsal "asks for the hours" failed. The agent never said "until six"; its last words were: "We are open until five."',
    );
    // Keys read no reports, and no words of one.
    const byKey = await api.call("PATCH", agent, { key: members.keys.owner, body: draft });
    expect([byKey.status, byKey.body.code]).toEqual([409, "not_rehearsed"]);
    expect(byKey.text).toContain("asks for the hours");
    expect(byKey.text).not.toContain("until five");
    const good = { brain: answering("We are open until six, dear.") };
    // Scenarios that somebody brings along do not count.
    await rehearsed(agent, { draft: good, scenarios: [SCENARIO] });
    expect((await ask("PATCH", agent, good)).status).toBe(409);
    await rehearsed(agent, { draft: good });
    expect((await ask("PATCH", agent, good)).body.data).toMatchObject({ version: 2 });
    expect((await ask("PATCH", agent, { name: "Eve", maxDurationMs: 60_000 })).status).toBe(200);
  });

  it("is changed without them, and freed of them, by owners and admins only", async () => {
    const agent = await agentWith(GATED);
    const change = { brain: answering("We are open."), unrehearsed: true };
    expect((await ask("PATCH", agent, change)).status).toBe(403);
    expect((await ask("PATCH", agent, change, "owner")).status).toBe(200);
    const free = { rehearsals: { required: false } };
    expect((await ask("PATCH", agent, free)).status).toBe(403);
    expect((await ask("PATCH", agent, free, "owner")).status).toBe(200);
    expect((await ask("PATCH", agent, { brain: answering("Yes.") })).status).toBe(200);
    const empty = { rehearsals: { required: true, scenarios: [] } };
    expect((await ask("PATCH", agent, empty)).status).toBe(400);
  });
});
