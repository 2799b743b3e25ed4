import { flowFaults } from "@parley/shared/contracts/flows/checks.ts";
import type { Flow } from "@parley/shared/contracts/flows/flow.ts";
import { describe, expect, it } from "vitest";
import { FlowTalk, flowOf, type Happening } from "../../testkit/flows.ts";

const end = { type: "end", text: "Bye." };
const ask = (answer: object, more: object = {}) => ({
  ...{ type: "ask", text: "Well?", save: "it", answer, next: "ok", no_answer: "bye" },
  ...more,
});
const ok = { type: "end", text: "Got {it}." };
const asks = (answer: object, more: object = {}): Flow => flowOf({ q: ask(answer, more), ok, bye: end });
const begin: Happening = { type: "begin" };
const done = (result: unknown, status = "success"): Happening => ({ type: "tool_done", status, result });
const way = (chosen?: number, values = {}): Happening => ({ type: "model_done", way: chosen, values });
const judged = (chosen?: number): Happening => ({ type: "judged", way: chosen });
const choice = {
  type: "choice",
  options: [{ value: "red" }, { value: "blue", synonyms: ["navy", "dark blue"] }],
};
const person = { name: "person", phrases: ["a person", "human"], to: "desk" };
const desk = { type: "transfer", to: "+4930123456", text: "One moment.", failed: "bye" };
const tool = (more: object = {}) => ({
  ...{ type: "tool", tool: "find", arguments: { id: "{it}" }, next: "ok", failed: "bye" },
  ...{ save: [{ variable: "it", path: "order.status" }] },
  ...more,
});
const when = (variable: string, is: string, value?: string) => ({ tests: [{ variable, is, value }] });
const branch = (test: object, variables: object[]): Flow =>
  flowOf(
    {
      s: { type: "set", values: variables, next: "c" },
      c: { type: "condition", next: "bye" },
      yes: { type: "end", text: "Yes." },
      bye: end,
    },
    { edges: [{ from: "c", to: "yes", when: test }] },
  );
const set = (value: string) => [{ variable: "it", value }];
const model = (more: object = {}) => ({ type: "model", prompt: "Help {it}.", next: "bye", ...more });

type Row = readonly [what: string, flow: Flow, talk: readonly (readonly [Happening, string])[]];

const ROWS: readonly Row[] = [
  [
    "leaves by an exit at a question",
    flowOf({ q: ask(choice), ok, desk, bye: end }, { exits: [person] }),
    [
      [begin, "Well?"],
      ["Let me talk to a person!", "One moment. [transfer +4930123456 blind]"],
    ],
  ],
  [
    "leaves by an exit at once",
    flowOf({ q: ask(choice), ok, desk, bye: end }, { exits: [person] }),
    [["A human, please", "One moment. [transfer +4930123456 blind]"]],
  ],
  [
    "leaves by an exit before it looks anything up",
    flowOf(
      {
        hi: { type: "say", text: "Hi.", next: "look" },
        look: { ...tool(), saying: "Let me see." },
        ...{ ok, desk, bye: end },
      },
      { exits: [person] },
    ),
    [["A human, please", "Hi. One moment. [transfer +4930123456 blind]"]],
  ],
  [
    "goes on when a transfer fails",
    flowOf({ desk, bye: end }),
    [
      [begin, "One moment. [transfer +4930123456 blind]"],
      ["TRANSFER FAILED: busy", "Bye. [end]"],
    ],
  ],
  [
    "asks a model about an exit that words do not tell",
    flowOf(
      { q: ask(choice), ok, desk, bye: end },
      { exits: [{ name: "angry", judge: "angry", to: "desk" }] },
    ),
    [
      [begin, "Well?"],
      ["This is a shame", "[judge angry]"],
      [judged(), "Sorry, I did not get that. Well?"],
      ["A shame!", "[judge angry]"],
      [judged(0), "One moment. [transfer +4930123456 blind]"],
    ],
  ],
  [
    "runs a tool and keeps a part of its result",
    flowOf({ q: ask({ type: "number" }, { next: "t" }), t: tool(), ok, bye: end }),
    [
      [begin, "Well?"],
      ["1001", '[find {"id":"1001"}]'],
      [done({ order: { status: "sent" } }), "Got sent. [end]"],
    ],
  ],
  [
    "says something while a tool runs",
    flowOf({ t: tool({ saying: "Let me see." }), ok, bye: end }),
    [[begin, 'Let me see. [find {"id":""}]']],
  ],
  [
    "goes another way when a tool fails",
    flowOf({ t: tool(), ok, bye: end }),
    [
      [begin, '[find {"id":""}]'],
      [done({}, "error"), "Bye. [end]"],
    ],
  ],
  [
    "runs a tool again that was talked over",
    flowOf({ t: tool(), ok, bye: end }),
    [
      [begin, '[find {"id":""}]'],
      ["Are you there?", '[find {"id":""}]'],
      [done({}), "Got. [end]"],
    ],
  ],
  [
    "asks for a yes before a tool that wants one",
    flowOf({ t: tool({ confirm: "Shall I?" }), ok, bye: end }),
    [
      [begin, '[find {"id":""}]'],
      [done({}, "confirmation_required"), "Shall I?"],
      ["Yes", '[find {"id":""}]'],
      [done({ order: { status: "done" } }), "Got done. [end]"],
    ],
  ],
  [
    "takes another way when there is no yes",
    flowOf({ t: tool(), ok, bye: end }),
    [
      [begin, '[find {"id":""}]'],
      [done({}, "confirmation_required"), "Shall I go ahead?"],
      ["No", '[find {"id":""}]'],
      [done({}, "confirmation_denied"), "Bye. [end]"],
    ],
  ],
  [
    "looks up what was said",
    flowOf({
      w: { type: "wait", next: "k" },
      k: { type: "knowledge", tool: "docs", save: "it", next: "ok", not_found: "bye" },
      ok,
      bye: end,
    }),
    [
      [begin, ""],
      ["Opening hours?", '[docs {"query":"Opening hours?"}]'],
      [done({ passages: [{ document: "d", text: "Nine to five" }] }), "Got Nine to five. [end]"],
    ],
  ],
  [
    "goes another way when nothing is found",
    flowOf({
      k: { type: "knowledge", tool: "docs", query: "hours", save: "it", next: "ok", not_found: "bye" },
      ok,
      bye: end,
    }),
    [
      [begin, '[docs {"query":"hours"}]'],
      [done({ passages: [] }), "Bye. [end]"],
    ],
  ],
  [
    "branches on equal text, capitals or not",
    branch(when("it", "equals", "VIP"), set("vip")),
    [[begin, "Yes. [end]"]],
  ],
  ["branches on numbers as numbers", branch(when("it", "greater", "9"), set("10")), [[begin, "Yes. [end]"]]],
  [
    "branches on days as days",
    branch(when("it", "at_most", "2026-12-01"), set("2026-11-30")),
    [[begin, "Yes. [end]"]],
  ],
  [
    "branches on a part of a text",
    branch(when("it", "contains", "late"), set("Too LATE")),
    [[begin, "Yes. [end]"]],
  ],
  ["branches on what is missing", branch(when("other", "missing"), set("x")), [[begin, "Yes. [end]"]]],
  [
    "takes nothing that is missing for little",
    branch(when("other", "less", "5"), set("x")),
    [[begin, "Bye. [end]"]],
  ],
  [
    "branches on any of several tests",
    branch(
      {
        match: "any",
        tests: [
          { variable: "it", is: "equals", value: "a" },
          { variable: "it", is: "exists" },
        ],
      },
      set("b"),
    ),
    [[begin, "Yes. [end]"]],
  ],
  [
    "compares with another variable",
    branch(when("it", "equals", "{current_date}"), set("2026-11-23")),
    [[begin, "Yes. [end]"]],
  ],
  [
    "sets a variable by another",
    flowOf({ s: { type: "set", values: [{ variable: "it", value: "day {current_date}" }], next: "ok" }, ok }),
    [[begin, "Got day 2026-11-23. [end]"]],
  ],
  [
    "talks by a model until that takes an edge",
    flowOf({ m: model(), bye: end }, { edges: [{ from: "m", to: "bye", judge: "they want to go" }] }),
    [
      [begin, "[model Help {it}.: they want to go | You are done with what you are asked to do here.]"],
      [way(), ""],
      ["And?", "[model Help {it}.: they want to go | You are done with what you are asked to do here.]"],
      [way(0), "Bye. [end]"],
    ],
  ],
  [
    "keeps what a model hands on, and nothing else",
    flowOf({ m: model({ next: "ok", save: [{ variable: "it", description: "x" }] }), ok }),
    [
      [begin, "[model Help {it}.: You are done with what you are asked to do here.]"],
      [way(0, { it: "tea", other: "no" }), "Got tea. [end]"],
    ],
  ],
  [
    "ends a model's talk after its turns",
    flowOf({ m: model({ maxTurns: 1, no_answer: "bye" }), bye: end }),
    [
      ["a", "[model Help {it}.: You are done with what you are asked to do here.]"],
      [way(), ""],
      ["b", "Bye. [end]"],
    ],
  ],
  [
    "lets a model judge an edge",
    flowOf(
      { w: { type: "wait", next: "bye" }, ok: { type: "end", text: "Refund." }, bye: end },
      { edges: [{ from: "w", to: "ok", judge: "refund" }] },
    ),
    [
      [begin, ""],
      ["My money!", "[judge refund]"],
      [judged(0), "Refund. [end]"],
    ],
  ],
  [
    "takes the sure edge when the model finds none to be so",
    flowOf(
      { w: { type: "wait", next: "bye" }, ok, bye: end },
      { edges: [{ from: "w", to: "ok", judge: "refund" }] },
    ),
    [
      [begin, ""],
      ["Hi", "[judge refund]"],
      [judged(), "Bye. [end]"],
    ],
  ],
  [
    "does not ask a model where a condition decides first",
    flowOf(
      { w: { type: "wait", save: "it", next: "bye" }, ok, bye: end },
      {
        edges: [
          { from: "w", to: "ok", when: when("it", "exists") },
          { from: "w", to: "bye", judge: "refund" },
        ],
      },
    ),
    [
      [begin, ""],
      ["Hi", "Got Hi. [end]"],
    ],
  ],
  [
    "hands off with a summary and variables",
    flowOf({
      q: ask({ type: "text" }, { next: "h" }),
      h: {
        type: "hand_off",
        agentId: "agt_b",
        text: "I pass you on.",
        summary: "Wants {it}.",
        variables: ["it"],
        failed: "bye",
      },
      bye: end,
    }),
    [
      [begin, "Well?"],
      ["a refund", 'I pass you on. [hand off agt_b {"it":"a refund","summary":"Wants a refund."}]'],
    ],
  ],
  [
    "goes on when nobody can be handed to",
    flowOf({ h: { type: "hand_off", agentId: "agt_b", failed: "bye" }, bye: end }),
    [
      [begin, '[hand off agt_b {"summary":""}]'],
      ["TRANSFER FAILED: refused", "Bye. [end]"],
    ],
  ],
  [
    "tells who takes a warm transfer what it is about",
    flowOf({ d: { ...desk, text: undefined, mode: "warm", whisper: "A call of {current_date}" }, bye: end }),
    [[begin, "[transfer +4930123456 warm: A call of 2026-11-23]"]],
  ],
  [
    "waits for words without a question",
    flowOf({ a: { type: "say", text: "Hi.", next: "w" }, w: { type: "wait", save: "it", next: "ok" }, ok }),
    [
      [begin, "Hi."],
      ["Ahoy", "Got Ahoy. [end]"],
    ],
  ],
  [
    "comes back to a question by a round",
    flowOf(
      { q: ask({ type: "yes_no" }, { next: "c" }), c: { type: "condition", next: "bye" }, bye: end },
      { edges: [{ from: "c", to: "q", when: when("it", "equals", "no") }] },
    ),
    [
      [begin, "Well?"],
      ["no", "Well?"],
      ["no", "Well?"],
      ["yes", "Bye. [end]"],
    ],
  ],
  [
    "leaves a placeholder in the caller's words alone",
    asks({ type: "text" }),
    [
      [begin, "Well?"],
      ["{current_date}", "Got {current_date}. [end]"],
    ],
  ],
  [
    "says no tool's braces twice",
    flowOf({ t: tool(), ok, bye: end }),
    [
      [begin, '[find {"id":""}]'],
      [done({ order: { status: "{it}" } }), "Got {it}. [end]"],
    ],
  ],
];

describe("a flow", () => {
  it.each(ROWS)("%s", (_what, flow, talk) => {
    const tools = [
      { name: "find", kind: "http" },
      { name: "docs", kind: "knowledge" },
    ];
    const talked = new FlowTalk(flow);
    const told = talk.map(([happening]) => [happening, talked.tell(happening)]);
    expect(told).toEqual(talk);
    // What is talked to here could be published, but for a text that is filled with nothing on purpose.
    const faults = flowFaults(flow, { tools, hasModel: true, variables: ["it", "other", "current_date"] });
    expect(faults).toEqual([]);
  });
});
