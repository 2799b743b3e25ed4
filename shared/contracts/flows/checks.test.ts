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
  [
    "an edge behind one that is always open",
    flowOf({ a: say("bye"), b: ask("bye"), bye }, { edges: [{ from: "a", to: "b" }] }),
    "bad_node",
    "a",
    'an edge of "a" to "b" is always open, so none of the 1 after it is ever taken',
  ],
  [
    "only a judged edge for when a model has had its turns",
    flowOf(
      { a: { type: "model", prompt: "x", maxTurns: 2, next: "bye" }, bye },
      { edges: [{ from: "a", on: "no_answer", to: "bye", judge: "so" }] },
    ),
    "no_way_out",
    "a",
    '"a" leads nowhere when there is no answer',
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
  expect(faults).toContainEqual(
    expect.objectContaining({ code, node, text: expect.stringContaining(says) as string }),
  );
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

it("two nodes with one id are refused by the schema, which says which", () => {
  const nodes = ["a", "b", "a"].map((id) => ({ id, type: "end" }));
  const { error } = flowSchema.safeParse({ start: "a", nodes });
  expect(error?.issues).toMatchObject([
    { path: ["nodes", 2, "id"], message: expect.stringContaining('"a"') },
  ]);
});

it("an edge or an exit to a node that is not there is told of with its field", () => {
  const flow = flowOf(
    { a: say("x"), bye },
    { exits: [{ name: "person", phrases: ["human"], to: "y" }], edges: [{ from: "z", to: "bye" }] },
  );
  const faults = flowFaults({ ...flow, start: "w" }, SURROUNDINGS);
  expect(faults.map(({ field }) => field)).toEqual(["start", "edges.0.from", "edges.1.to", "exits.0.to"]);
});

it("a model may choose among edges behind one without a judgment", () => {
  const flow = flowOf(
    { a: { type: "model", prompt: "x" }, b: say("bye"), bye },
    {
      edges: [
        { from: "a", to: "bye" },
        { from: "a", to: "b", judge: "so" },
      ],
    },
  );
  expect(flowFaults(flow, SURROUNDINGS)).toEqual([]);
});

it("a flow as large as flows may be is checked, with variables that are set one after the other", () => {
  const ids = Array.from({ length: 299 }, (_, index) => `n${index}`);
  const nodes = ids.map((id, index) => {
    const values = Array.from({ length: 20 }, (_, nr) => ({ variable: `v${index}_${nr}`, value: "x" }));
    return { id, type: "set", values };
  });
  // The last node of the list comes first, so that what is set passes against the list's order.
  const edges = ids.map((id, index) => ({ from: id, to: index === 0 ? "bye" : `n${index - 1}` }));
  const flow = flowSchema.parse({
    start: "n298",
    nodes: [...nodes, { id: "bye", type: "end", text: "{v298_0} {v0_19} {never}" }],
    edges,
    exits: ids.slice(0, 20).map((id) => ({ name: id, phrases: ["stop it"], to: "bye" })),
  });
  expect(flowFaults(flow, SURROUNDINGS).map(({ text }) => text)).toEqual([
    expect.stringContaining('"bye" uses {never}'),
  ]);
});

it("the flow of the documentation could be published as it is", async () => {
  const page = await readFile(new URL("../../../docs/flows.md", import.meta.url), "utf8");
  const [, json = ""] = /<!-- flow -->\n```json\n([\s\S]*?)```/.exec(page) ?? [];
  const brain = brainSchema.parse(JSON.parse(json));
  const flow = brain.kind === "flow" ? brain.flow : undefined;
  expect(flow && flowFaults(flow, { tools: [], hasModel: false, variables: [] })).toEqual([]);
});
