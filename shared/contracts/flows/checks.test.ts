import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { flowOf } from "../../../testkit/flows.ts";
import { brainSchema } from "../brain-plan.ts";
import { flowFaults } from "./checks.ts";
import type { FlowFault } from "./fault.ts";
import { type Flow, flowSchema } from "./flow.ts";

const bye = { type: "end", text: "Bye." };
const say = (next: string, text = "Hi.") => ({ type: "say", text, next });
const ask = (next: string, more: object = {}) => ({
  ...{ type: "ask", text: "Well?", save: "it", answer: { type: "text" }, next, no_answer: "bye" },
  ...more,
});
const silent = (next: string) => ({ type: "condition", next });
const judge = { from: "a", to: "bye", judge: "so" };

type Row = readonly [what: string, flow: Flow, code: FlowFault["code"], node: string | null, says: string];

const ROWS: readonly Row[] = [
  [
    "a start that is not there",
    { ...flowOf({ bye }), start: "x" },
    "unknown_node",
    null,
    'the flow starts at the node "x"',
  ],
  [
    "an edge to nowhere",
    flowOf({ a: say("x"), bye }),
    "unknown_node",
    "a",
    'an edge of "a" leads to the node "x"',
  ],
  [
    "an exit to nowhere",
    flowOf({ bye }, { exits: [{ name: "person", phrases: ["human"], to: "x" }] }),
    "unknown_node",
    null,
    'the exit "person" leads to',
  ],
  [
    "a node that nothing leads to",
    flowOf({ a: say("bye"), b: { ...say("bye"), name: "Greeting" }, bye }),
    "unreachable",
    "b",
    '"Greeting" is never reached',
  ],
  [
    "a node without an edge",
    flowOf({ a: { type: "say", text: "Hi." }, bye }),
    "no_way_out",
    "a",
    '"a" leads nowhere when it is done',
  ],
  [
    "a question without a way for no answer",
    flowOf({ a: ask("bye", { no_answer: undefined }), bye }),
    "no_way_out",
    "a",
    '"a" leads nowhere when there is no answer',
  ],
  [
    "only an edge with a condition",
    flowOf(
      { a: { type: "condition" }, bye },
      { edges: [{ from: "a", to: "bye", when: { tests: [{ variable: "x", is: "exists" }] } }] },
    ),
    "no_way_out",
    "a",
    "without a condition",
  ],
  [
    "only an edge that a model judges",
    flowOf({ a: { type: "condition" }, bye }, { edges: [judge] }),
    "no_way_out",
    "a",
    "without a condition",
  ],
  [
    "a round that never comes to an end",
    flowOf({ a: ask("a", { no_answer: "a" }), bye }),
    "no_way_out",
    "a",
    'from "a" no conversation comes to an end',
  ],
  [
    "a round of nodes that say nothing",
    flowOf(
      { a: silent("b"), b: silent("a"), bye },
      { edges: [{ from: "a", to: "bye", when: { tests: [{ variable: "x", is: "exists" }] } }] },
    ),
    "endless_loop",
    "a",
    '"a" → "b" → "a" goes round without listening',
  ],
  [
    "a round of nodes that only talk",
    flowOf(
      { a: say("b"), b: silent("a"), bye },
      { edges: [{ from: "b", to: "bye", when: { tests: [{ variable: "x", is: "exists" }] } }] },
    ),
    "endless_loop",
    "a",
    "goes round without listening",
  ],
  [
    "a round through a question that is passed over",
    flowOf({ a: ask("b", { skipIfKnown: true }), b: silent("a"), bye }),
    "endless_loop",
    "a",
    "goes round without listening",
  ],
  [
    "a node that leads to itself",
    flowOf(
      { a: silent("a"), bye },
      { edges: [{ from: "a", to: "bye", when: { tests: [{ variable: "x", is: "exists" }] } }] },
    ),
    "endless_loop",
    "a",
    '"a" → "a" goes round',
  ],
  [
    "a text with a variable that nothing sets",
    flowOf({ a: say("bye", "Hi {nick}."), bye }),
    "missing_variable",
    "a",
    '"a" uses {nick}',
  ],
  [
    "a text with a variable that is set later only",
    flowOf({ a: say("b", "Hi {it}."), b: ask("bye"), bye }),
    "missing_variable",
    "a",
    '"a" uses {it}',
  ],
  [
    "an argument with one",
    flowOf({
      a: { type: "tool", tool: "find", arguments: { deep: [{ id: "{nick}" }] }, next: "bye", failed: "bye" },
      bye,
    }),
    "missing_variable",
    "a",
    '"a" uses {nick}',
  ],
  [
    "a condition with one",
    flowOf(
      { a: silent("bye"), bye },
      {
        edges: [{ from: "a", to: "bye", when: { tests: [{ variable: "nick", is: "equals", value: "x" }] } }],
      },
    ),
    "missing_variable",
    "a",
    '"a" uses {nick}',
  ],
  [
    "a hand-off with one",
    flowOf({ a: { type: "hand_off", agentId: "agt_b", variables: ["nick"], failed: "bye" }, bye }),
    "missing_variable",
    "a",
    '"a" uses {nick}',
  ],
  [
    "a tool that the agent does not have",
    flowOf({ a: { type: "tool", tool: "gone", next: "bye", failed: "bye" }, bye }),
    "unknown_tool",
    "a",
    'the tool "gone"',
  ],
  [
    "a model's tool that the agent does not have",
    flowOf({ a: { type: "model", prompt: "x", tools: ["gone"], next: "bye" }, bye }),
    "unknown_tool",
    "a",
    'the tool "gone"',
  ],
  [
    "a look-up with another tool",
    flowOf({ a: { type: "knowledge", tool: "find", save: "it", next: "bye", not_found: "bye" }, bye }),
    "bad_node",
    "a",
    "no knowledge tool",
  ],
  [
    "a tool of the line",
    flowOf({ a: { type: "tool", tool: "hang_up", next: "bye", failed: "bye" }, bye }),
    "bad_node",
    "a",
    '"a" runs "hang_up"',
  ],
  [
    "more digits at least than at most",
    flowOf({ a: { ...ask("bye"), type: "collect", minDigits: 5, maxDigits: 4 }, bye }),
    "bad_node",
    "a",
    "at least 5 digits",
  ],
  [
    "a warm transfer without a whisper",
    flowOf({ a: { type: "transfer", to: "+4930123456", mode: "warm", failed: "bye" }, bye }),
    "bad_node",
    "a",
    "needs a whisper",
  ],
  [
    "an edge that its node never takes",
    flowOf({ a: say("bye"), bye }, { edges: [{ from: "a", on: "failed", to: "bye" }] }),
    "bad_node",
    "a",
    "never left so",
  ],
];

const SURROUNDINGS = {
  tools: [
    { name: "find", kind: "http" },
    { name: "hang_up", kind: "end_call" },
  ],
  hasModel: true,
  variables: ["current_date", "x"],
};

it.each(ROWS)("a flow is not published with %s", (_what, flow, code, ...told) => {
  const [node, says] = told;
  const faults = flowFaults(flow, SURROUNDINGS);
  expect(faults).toContainEqual({ code, node, text: expect.stringContaining(says) as string });
});

it.each([
  ["a node where one talks", flowOf({ a: { type: "model", prompt: "x", next: "bye" }, bye }), "a"],
  ["an edge that it judges", flowOf({ a: silent("bye"), bye }, { edges: [judge] }), "a"],
  [
    "an exit that it judges",
    flowOf({ a: ask("bye"), bye }, { exits: [{ name: "x", judge: "so", to: "bye" }] }),
    null,
  ],
])("a flow without a model is not published with %s", (_what, flow, node) => {
  expect(flowFaults(flow, { ...SURROUNDINGS, hasModel: false })).toContainEqual(
    expect.objectContaining({ code: "no_model", node }),
  );
});

it("a variable that is asked for on one of the ways is no fault, and an exit may follow on any node", () => {
  const flow = flowOf(
    { a: silent("c"), b: ask("c"), c: say("bye", "Hi {it}."), out: { type: "end", text: "Bye {it}." }, bye },
    {
      edges: [{ from: "a", to: "b", when: { tests: [{ variable: "x", is: "exists" }] } }],
      exits: [{ name: "out", phrases: ["stop"], to: "out" }],
    },
  );
  expect(flowFaults(flow, SURROUNDINGS)).toEqual([]);
});

it("two nodes with one id are refused by the schema", () => {
  const node = { id: "a", type: "end" };
  expect(flowSchema.safeParse({ start: "a", nodes: [node, node] }).success).toBe(false);
});

it("the flow of the documentation could be published as it is", async () => {
  const page = await readFile(new URL("../../../docs/flows.md", import.meta.url), "utf8");
  const [, json = ""] = /<!-- flow -->\n```json\n([\s\S]*?)```/.exec(page) ?? [];
  const brain = brainSchema.parse(JSON.parse(json));
  const flow = brain.kind === "flow" ? brain.flow : undefined;
  expect(flow && flowFaults(flow, { tools: [], hasModel: false, variables: [] })).toEqual([]);
});
