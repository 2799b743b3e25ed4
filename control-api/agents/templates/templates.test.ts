import { createAgentSchema } from "@parley/shared/contracts/agents.ts";
import type { Flow } from "@parley/shared/contracts/flows/flow.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import { FlowTalk, type Happening } from "../../../testkit/flows.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { AGENT_TEMPLATES } from "./catalog.ts";

function flowOfTemplate(id: string): Flow {
  const template = AGENT_TEMPLATES.find((one) => one.id === id);
  const { brain } = createAgentSchema.parse(template?.settings);
  if (brain.kind !== "flow") throw new Error(`${id} follows no flow`);
  return brain.flow;
}

const order = (orders: object[]): Happening => ({ type: "tool_done", status: "success", result: { orders } });

/** What a caller says, and the last words that they hear. */
const TALKS: readonly (readonly [id: string, said: readonly Happening[], last: string])[] = [
  [
    "receptionist",
    ["What are your opening hours?", "yes please", "Ada", "Please call me", "0 3 0 1 2 3 4 5 6"],
    "Thank you. Somebody calls you back on 030123456. Goodbye. [end]",
  ],
  [
    "appointment",
    ["A haircut", "tomorrow", "morning", "Ada", "no", "on Friday", "late", "yes", "+49 30 123456"],
    "Thank you, Ada. We confirm it on +4930123456. Goodbye. [end]",
  ],
  [
    "order-status",
    ["one zero zero one", order([{ number: "1001", status: "shipped" }]), "no thanks"],
    "Thank you for your call. Goodbye. [end]",
  ],
  [
    "order-status",
    ["99999", order([]), "yes", "1001", { type: "tool_done", status: "error", result: {} }, "030123456"],
    "Thank you. Somebody calls you back on 030123456. Goodbye. [end]",
  ],
  [
    "lead-qualification",
    ["Ada", "Chairs", "two", "ada at example dot com"],
    "Thank you, Ada. We write to ada@example.com. Goodbye. [end]",
  ],
  [
    "lead-qualification",
    ["Ada", "Chairs", "twelve", "ada@example.com", "030 123456"],
    "Thank you. Somebody calls you back on 030123456. Goodbye. [end]",
  ],
  ["survey", ["sure", "five", "ten", "Nothing"], "Thank you for your answers. Goodbye. [end]"],
  ["survey", ["You have the wrong number"], "No problem. Have a good day. [end]"],
  ["after-hours", ["yes", "030123456"], "Thank you. Somebody calls you back on 030123456. Goodbye. [end]"],
];

describe("templates", () => {
  it.each(TALKS)("%s comes to its end by %j", (id, said, last) => {
    const talk = new FlowTalk(flowOfTemplate(id));
    talk.tell({ type: "begin" });
    const told = said.map((happening) => talk.tell(happening));
    expect(told.at(-1), told.join("\n")).toBe(last);
  });

  it("each let a caller have a person at its first question", () => {
    for (const { id, kind } of AGENT_TEMPLATES) {
      if (kind === "single" || id === "survey") continue;
      const talk = new FlowTalk(flowOfTemplate(id));
      talk.tell({ type: "begin" });
      expect(talk.tell("Let me talk to a real person!"), id).toContain("call you back");
    }
  });
});

describe("the templates of an organization", () => {
  let api: TestControlApi;
  beforeAll(async () => {
    api = await TestControlApi.start();
  });
  afterAll(() => api.close());

  it("make agents and teams that can be published as they are, for people who may", async () => {
    const { orgId, people } = await TestMembers.create(api);
    const asked = async (method: "GET" | "POST", path: string, body?: object) => {
      const answer = await people.developer.call(method, `/api/orgs/${orgId}${path}`, body, orgId);
      return { ...answer, text: JSON.stringify(answer.body) };
    };
    const listed = (await asked("GET", "/templates")).body.data as { agents: { id: string; kind: string }[] };
    expect(listed.agents.length).toBeGreaterThanOrEqual(6);
    for (const { id, kind } of listed.agents) {
      const made = await asked("POST", `/templates/${id}/agents`, {});
      expect([made.status, made.body.data], made.text).toMatchObject([201, { kind }]);
    }
    const named = await asked("POST", "/templates/survey/agents", { name: "Spring survey" });
    expect(named.status).toBe(201);
    const team = await asked("POST", "/team-templates/front-desk/agents");
    expect(team.status, team.text).toBe(201);
    const { agents, entryAgentId } = team.body.data as {
      agents: { ref: string; agentId: string }[];
      entryAgentId: string;
    };
    expect(agents.map(({ ref }) => ref)).toEqual(["booking", "orders", "desk"]);
    expect(entryAgentId).toBe(agents[2]?.agentId);
    expect((await asked("POST", "/templates/nothing/agents", {})).status).toBe(404);
    expect((await asked("POST", "/team-templates/nothing/agents")).status).toBe(404);
  });
});
