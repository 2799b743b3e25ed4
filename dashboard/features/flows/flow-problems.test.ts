import type { Json } from "@parley/shared/contracts/merge-patch.ts";
import { expect, it } from "vitest";
import { flowIn } from "./flow-draft.ts";
import { problemsOf } from "./flow-problems.ts";

const bye = { id: "bye", type: "end", text: "Bye." };
const say = (text: string): Json => ({ id: "a", type: "say", text });
const look = { id: "a", type: "tool", tool: "look" };
const next = (from: string, to: string): Json => ({ from, to });

/** What is drawn while somebody is at it, and what the list beside it says. */
const DRAWN: readonly (readonly [what: string, nodes: Json[], edges: Json[], node: string, says: string])[] =
  [
    ["a node that nothing leads to", [bye, say("Hi.")], [next("a", "bye")], "a", '"a" is never reached'],
    ["a node that leads nowhere", [say("Hi."), bye], [], "a", '"a" leads nowhere when it is done'],
    [
      "a round in which nobody listens",
      [say("Hi."), { id: "b", type: "condition" }, bye],
      [
        next("a", "b"),
        { ...next("b", "bye"), when: { tests: [{ variable: "now", is: "exists" }] } },
        next("b", "a"),
      ],
      "a",
      '"a" → "b" → "a" goes round without listening to the caller',
    ],
    ["a variable that nothing sets", [say("Hi {nick}."), bye], [next("a", "bye")], "a", '"a" uses {nick}'],
    [
      "a tool that the agent does not have",
      [look, bye],
      [next("a", "bye"), { ...next("a", "bye"), on: "failed" }],
      "a",
      '"a" uses the tool "look", which the agent does not have',
    ],
  ];

it.each(DRAWN)("the builder tells of %s as it is drawn, with its node", (_what, nodes, edges, ...told) => {
  const [node, says] = told;
  const draft = { brain: { kind: "flow", flow: { start: nodes[0]?.id, nodes, edges } } };
  const flow = flowIn(draft);
  expect(flow).toBeDefined();
  expect(flow && problemsOf(flow, draft, {})).toContainEqual(
    expect.objectContaining({ node, text: expect.stringContaining(says) }),
  );
});
