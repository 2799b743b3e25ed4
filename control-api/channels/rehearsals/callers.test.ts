import { type RehearsalReport, rehearsalsResponseSchema } from "@parley/shared/contracts/rehearsals.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestControlApi } from "../../../testkit/control-api.ts";
import type { ChatModel } from "../../../testkit/fakes/chat-completions.ts";
import { flowOf } from "../../../testkit/flows.ts";
import { TestMembers } from "../../../testkit/members.ts";
import { answering, chat } from "../../../testkit/model-brain.ts";

let api: TestControlApi;
let members: TestMembers;
beforeAll(async () => {
  api = await TestControlApi.start({ allowPrivateTargets: ["127.0.0.0/8"] });
  members = await TestMembers.create(api);
});
afterAll(() => api.close());

const ask = (method: "GET" | "POST", path: string, body?: object) =>
  members.people.developer.call(method, path, body, members.orgId);

async function agentWith(brain: object): Promise<string> {
  const made = await ask("POST", "/api/agents", { name: "Ada", brain });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return `/api/agents/${(made.body.data as { id: string }).id}/simulations`;
}

async function rehearsed(path: string, scenario: object): Promise<RehearsalReport["rehearsals"][number]> {
  const criteria = [{ kind: "ends" }];
  const answer = await ask("POST", path, { scenarios: [{ name: "x", criteria, ...scenario }] });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const [held] = rehearsalsResponseSchema.shape.data.parse(answer.body.data).rehearsals;
  return held as RehearsalReport["rehearsals"][number];
}

const LONG = "We are open from nine until six, and on Saturdays from ten until two, but never on Sundays.";
const flow = flowOf({
  day: {
    ...{ type: "ask", text: "On which day?", save: "day", answer: { type: "date" } },
    ...{ next: "hours", no_answer: "bye" },
  },
  hours: { type: "say", text: LONG, next: "more" },
  more: { type: "wait", save: "more", next: "bye" },
  bye: { type: "end", text: "Goodbye." },
});

describe("a caller whom a model plays", () => {
  const PERSONA = {
    ...{ who: "Eve, 30", goal: "an appointment", facts: ["You are free tomorrow."], mood: "in a hurry" },
    ...{ interrupts: "often", model: "actor" },
  };

  it("knows who they are, answers what the agent says, cuts in where it is long, and hangs up", async () => {
    const lines = ["Tomorrow would be fine.", "Just tell me when you close."];
    const model: ChatModel = ({ messages }) => {
      const mine = messages.filter(({ role }) => role === "assistant").length;
      return mine < lines.length
        ? { text: lines[mine] ?? "" }
        : { calls: [{ name: "hang_up", arguments: "{}" }] };
    };
    const fake = await chat(model, "sk-1");
    const path = await agentWith({ kind: "flow", flow, url: fake.url, secret: "sk-1" });
    const held = await rehearsed(path, { caller: { persona: PERSONA } });
    expect(held.error).toBe(null);
    const heard = "We are open from nine until six, and on";
    expect(held.transcript.map(({ text }) => text)).toEqual([
      "On which day?",
      lines[0],
      heard,
      lines[1],
      "Goodbye.",
    ]);
    expect(held).toMatchObject({
      endReason: "flow_end",
      path: ["day", "hours", "more", "bye"],
      passed: true,
    });
    const [first, second] = fake.asked;
    expect(first?.model).toBe("actor");
    for (const text of [PERSONA.who, PERSONA.goal, PERSONA.facts[0] ?? "", PERSONA.mood])
      expect(first?.messages[0]?.content).toContain(text);
    expect(first?.messages.slice(1)).toEqual([{ role: "user", content: "On which day?" }]);
    expect(second?.messages.at(-1)?.content).toBe(`${heard} (You cut in here.)`);
    const cutIn = async () => {
      const record = await api.call("GET", `/api/v1/calls/${held.sessionId}`, { key: members.keys.viewer });
      const said = record.body.transcript as { text: string; interrupted: boolean }[];
      return said.find(({ interrupted }) => interrupted)?.text;
    };
    await expect.poll(cutIn).toBe(heard);
  });

  it("who hangs up ends it, and one whose model fails is told apart from a brain that does", async () => {
    const bye: ChatModel = () => ({ calls: [{ name: "hang_up", arguments: '{"farewell":"Never mind."}' }] });
    const fake = await chat(bye, "sk-1");
    const path = await agentWith({ kind: "flow", flow, url: fake.url, secret: "sk-1" });
    const held = await rehearsed(path, { caller: { persona: PERSONA } });
    expect(held).toMatchObject({ endReason: "hangup", passed: false });
    expect(held.transcript.at(-1)).toMatchObject({ role: "user", text: "Never mind." });
    const broken = await agentWith({ kind: "flow", flow, url: "http://127.0.0.1:9/v1", secret: "sk-1" });
    const failed = await rehearsed(broken, { caller: { persona: PERSONA } });
    expect(failed).toMatchObject({
      passed: false,
      error: expect.stringContaining("plays the caller failed"),
    });
  });

  it("needs a model that is named somewhere", async () => {
    const path = await agentWith({ kind: "flow", flow });
    const { model: _, ...persona } = PERSONA;
    const scenarios = [{ name: "x", caller: { persona }, criteria: [{ kind: "ends" }] }];
    const { status, body } = await ask("POST", path, { scenarios });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining("scenarios.0.caller.persona.model"),
    ]);
  });
});

describe("a criterion that a model judges", () => {
  const TOLD = "The agent says when it is open.";
  const verdicts = async (...answers: readonly ReturnType<ChatModel>[]) => {
    const fake = await chat(answering(...answers), "sk-1");
    const path = await agentWith({ kind: "flow", flow, url: fake.url, secret: "sk-1" });
    const criteria = [{ kind: "judged", text: TOLD, model: "judge" }];
    const held = await rehearsed(path, { caller: { otherwise: ["tomorrow", "bye"] }, criteria });
    return { held, fake, criterion: held.criteria[0] };
  };
  const verdict = (met: boolean, quote: string) => ({
    calls: [{ name: "verdict", arguments: JSON.stringify({ met, quote, reason: "It does." }) }],
  });

  it("is met with the words that show it, and the transcript is given as data", async () => {
    const { held, fake, criterion } = await verdicts(verdict(true, "we are OPEN from nine until six"));
    expect(criterion).toMatchObject({ passed: true, because: 'It does. "We are open from nine until six"' });
    expect(held.passed).toBe(true);
    const [asked] = fake.asked;
    expect(asked).toMatchObject({ model: "judge", tools: [{ function: { name: "verdict" } }] });
    expect(String(asked?.messages.at(-1)?.content)).toMatch(
      /^The criterion: .*\n\nThe transcript:\n\[\{"speaker":"agent","text":"On which day\?"\}/,
    );
    expect(String(asked?.messages[0]?.content)).not.toContain("which day");
  });

  it.each([
    [
      "says words that nobody said",
      [verdict(true, "We close at noon."), verdict(true, "at noon")],
      /shows no words/,
    ],
    ["gives no verdict", [{ text: "Hm." }, { text: "Well." }], /gave no verdict/],
    ["finds that it is not", [verdict(false, "never on Sundays")], /^It does. "never on Sundays"$/],
    ["fails", [{ error: { status: 401, code: "invalid_api_key" } }], /judges failed: .*401/],
  ] as const)("is not met by a model that %s", async (_, answers, because) => {
    const { criterion, held } = await verdicts(...answers);
    expect(criterion).toMatchObject({ passed: false, because: expect.stringMatching(because) });
    expect(held.passed).toBe(false);
  });

  it("needs a model that is named somewhere", async () => {
    const path = await agentWith({ kind: "flow", flow });
    const scenarios = [{ name: "x", caller: {}, criteria: [{ kind: "judged", text: TOLD }] }];
    const { status, body } = await ask("POST", path, { scenarios });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining("criteria.0.model")]);
  });
});

it("a script cuts in as soon as its words were heard, and what was not heard is said again", async () => {
  const path = await agentWith({
    kind: "flow",
    flow: flowOf({
      day: {
        ...{ type: "ask", text: "We have two shops. On which day?", save: "day", answer: { type: "date" } },
        ...{ next: "bye", no_answer: "bye" },
      },
      bye: { type: "end", text: "Until {day}." },
    }),
  });
  const answers = [
    { to: "we have two", say: "Who is this?", cutsIn: true },
    { to: "on which day", say: "tomorrow" },
  ];
  const held = await rehearsed(path, {
    caller: { answers },
    maxTurns: 3,
  });
  expect(held.transcript.slice(0, 3).map(({ text }) => text)).toEqual([
    "We have two",
    "Who is this?",
    "We have two shops. On which day?",
  ]);
  expect(held).toMatchObject({ endReason: "flow_end", passed: true });
});
