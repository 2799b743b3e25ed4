import fc from "fast-check";
import { expect, it } from "vitest";
import { FlowTalk, flowOf } from "../../testkit/flows.ts";
import { flowFaults } from "../contracts/flows/checks.ts";
import type { Flow } from "../contracts/flows/flow.ts";
import { stepFlow } from "./interpreter.ts";
import type { FlowEvent } from "./state.ts";

const OTHER = { type: "condition" };

/** Any graph of eight nodes, most of them broken in some way. */
const graphs: fc.Arbitrary<Flow> = fc
  .record({
    kinds: fc.array(fc.constantFrom("say", "ask", "condition", "set", "tool", "model", "wait", "collect"), {
      minLength: 7,
      maxLength: 7,
    }),
    targets: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 14, maxLength: 14 }),
    branches: fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 7 })), {
      maxLength: 6,
    }),
    judged: fc.boolean(),
  })
  .map(({ kinds, targets, branches, judged }) => {
    const at = (index: number): string => `n${targets[index] ?? 7}`;
    const nodes = kinds.map((kind, index) => [`n${index}`, node(kind, at(index), at(index + 7))] as const);
    const edges = branches.map(([from, to]) => ({
      from: `n${from}`,
      to: `n${to}`,
      ...(judged ? { judge: "so" } : { when: { tests: [{ variable: "it", is: "exists" }] } }),
    }));
    const exits = [{ name: "out", phrases: ["person"], to: "n7" }];
    return flowOf({ ...Object.fromEntries(nodes), n7: { type: "end", text: "Bye." } }, { edges, exits });
  });

function node(kind: string, next: string, other: string) {
  const question = { text: "Well?", save: "it", next, no_answer: other, attempts: 2 };
  switch (kind) {
    case "say":
      return { type: "say", text: "Hi {it}.", next };
    case "ask":
      return { type: "ask", ...question, answer: { type: "number" } };
    case "collect":
      return { type: "collect", ...question };
    case "set":
      return { type: "set", values: [{ variable: "it", value: "1" }], next };
    case "tool":
      return { type: "tool", tool: "find", next, failed: other };
    case "model":
      return { type: "model", prompt: "x", next, maxTurns: 2, no_answer: other };
    case "wait":
      return { type: "wait", next };
    default:
      return { ...OTHER, next };
  }
}

const way = fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined });
const events: fc.Arbitrary<FlowEvent> = fc.oneof(
  fc.record({
    type: fc.constant("said" as const),
    text: fc.oneof(
      fc.constantFrom("5", "yes", "a person", "DTMF: 12#", "TRANSFER FAILED: busy"),
      fc.string(),
    ),
    heard: fc.option(fc.string(), { nil: undefined }),
  }),
  fc.record({
    type: fc.constant("tool_done" as const),
    status: fc.constantFrom("success", "error", "confirmation_required"),
    result: fc.jsonValue(),
  }),
  fc.record({ type: fc.constant("model_done" as const), way }),
  fc.record({ type: fc.constant("judged" as const), way }),
  fc.constant({ type: "begin" as const }),
);
const SURROUNDINGS = { tools: [{ name: "find", kind: "http" }], hasModel: true, variables: ["it"] };

it("any flow comes to a stop at any event, at a node that it has", () => {
  fc.assert(
    fc.property(graphs, fc.array(events, { maxLength: 30 }), (flow, happenings) => {
      const talk = new FlowTalk(flow);
      for (const happening of happenings) talk.on(happening);
      expect(flow.nodes.map(({ id }) => id)).toContain(talk.state.node);
    }),
    { numRuns: 300 },
  );
});

it("a flow that may be published is never stuck, and a caller who asks for a way out is out", () => {
  fc.assert(
    fc.property(graphs, fc.array(events, { maxLength: 20 }), (flow, happenings) => {
      fc.pre(flowFaults(flow, SURROUNDINGS).every(({ code }) => code === "unreachable"));
      const talk = new FlowTalk(flow);
      for (const happening of happenings) expect(talk.on(happening).next.type).not.toBe("stuck");
      talk.on("a person");
      expect(talk.on("a person").next.type).toBe("end");
    }),
    { numRuns: 300 },
  );
});

it("no state is lost: kept as JSON and gone on with, a conversation goes the same way", () => {
  fc.assert(
    fc.property(graphs, fc.array(events, { maxLength: 20 }), (flow, happenings) => {
      const whole = new FlowTalk(flow);
      const resumed = new FlowTalk(flow);
      for (const happening of happenings) {
        resumed.state = JSON.parse(JSON.stringify(resumed.state)) as typeof resumed.state;
        expect(resumed.on(happening)).toEqual(whole.on(happening));
      }
    }),
    { numRuns: 200 },
  );
});

it("what a caller has told is not lost when they talk over the agent, whatever they say", () => {
  fc.assert(
    fc.property(
      graphs,
      fc.array(events, { maxLength: 12 }),
      fc.string(),
      fc.string(),
      (flow, happenings, text, heard) => {
        const talk = new FlowTalk(flow);
        for (const happening of happenings) talk.on(happening);
        const { node, waitsFor, variables } = talk.state;
        const { effects } = talk.on({ type: "said", text, heard });
        for (const name of Object.keys(variables)) expect(talk.state.variables).toHaveProperty([name]);
        // Who is asked nothing new is where they were.
        if (!effects.some(({ type }) => type === "entered")) {
          expect(talk.state.node).toBe(node);
          expect(talk.state.waitsFor.kind === "nothing").toBe(waitsFor.kind === "nothing");
        }
      },
    ),
    { numRuns: 200 },
  );
});

it("a turn that is asked again begins where it began: a step changes nothing but what it gives", () => {
  fc.assert(
    fc.property(graphs, fc.array(events, { minLength: 1, maxLength: 15 }), (flow, happenings) => {
      const talk = new FlowTalk(flow);
      for (const happening of happenings) {
        const before = structuredClone(talk.state);
        const event: FlowEvent =
          typeof happening === "string" ? { type: "said", text: happening } : happening;
        expect(stepFlow(flow, talk.state, event)).toEqual(stepFlow(flow, before, event));
        expect(talk.state).toEqual(before);
        talk.on(happening);
      }
    }),
    { numRuns: 200 },
  );
});
