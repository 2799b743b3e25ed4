import { describe, expect, it } from "vitest";
import type { DraftFlow } from "./flow-draft.ts";
import {
  clipIn,
  clipOf,
  tidied,
  withClip,
  withEdge,
  withExit,
  withNode,
  withoutParts,
} from "./flow-edits.ts";
import { NO_HISTORY, recorded, redone, undone } from "./flow-history.ts";
import { problemsOf } from "./flow-problems.ts";

const FLOW: DraftFlow = {
  start: "hello",
  nodes: [
    { id: "hello", type: "say", text: "Hello." },
    { id: "day", type: "ask", text: "Which day?", save: "day", answer: { type: "date" } },
    { id: "bye", type: "end", text: "{day} it is." },
  ],
  edges: [
    { from: "hello", to: "day", on: "next" },
    { from: "day", to: "bye", on: "next" },
  ],
  exits: [{ name: "enough", phrases: ["enough"], to: "bye" }],
};
const agentWith = (flow: DraftFlow) => ({ brain: { kind: "flow", flow, tools: [] }, variables: [] });
const told = (flow: DraftFlow): string[] => problemsOf(flow, agentWith(flow), {}).map(({ text }) => text);

describe("drawing a flow", () => {
  it("a node that is added after another is led to by its first outcome that leads nowhere", () => {
    const { flow, added } = withNode(FLOW, { type: "end", place: { x: 1.4, y: 2_000 }, after: "day" });
    expect(flow.nodes.at(-1)).toMatchObject({ id: added[0], type: "end", position: { x: 1, y: 2_000 } });
    expect(flow.edges.at(-1)).toEqual({ from: "day", to: added[0], on: "no_answer" });
    // Where all are drawn is settled from now on.
    expect(flow.nodes.every(({ position }) => position !== undefined)).toBe(true);
  });

  it("a new node covers no other", () => {
    const at = { type: "say", place: { x: 10, y: 10 } } as const;
    const { flow } = withNode(withNode(FLOW, at).flow, at);
    const places = flow.nodes.map(({ position }) => position);
    expect(places.at(-1)).not.toEqual(places.at(-2));
  });

  it("a new node has an id that no node had before, deleted ones and other people's included", () => {
    const at = { type: "say", place: { x: 0, y: 0 } } as const;
    const grown = withNode(FLOW, at);
    const deleted = withoutParts(grown.flow, new Set(grown.added), new Set());
    expect(withNode(deleted, at).added).not.toEqual(grown.added);
    expect(withNode(FLOW, at).added).not.toEqual(grown.added);
    const clip = clipOf(grown.flow, new Set(grown.added));
    const ids = withClip(withClip(grown.flow, clip).flow, clip).flow.nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("a new exit has a name that no other exit has", () => {
    const two = withExit(withExit([]));
    expect(withExit(two.slice(1)).map(({ name }) => name)).toEqual(["Exit 2", "Exit 3"]);
  });

  it("an edge that is added comes before the one that is always open, behind which none is ever taken", () => {
    const { edges } = withEdge(FLOW, { from: "hello", to: "bye", on: "next" });
    expect(edges.map(({ from, to }) => [from, to])).toEqual([
      ["hello", "bye"],
      ["hello", "day"],
      ["day", "bye"],
    ]);
  });

  it("an edge is drawn once", () => {
    const once = withEdge(FLOW, { from: "day", to: "bye", on: "no_answer" });
    expect(withEdge(once, { from: "day", to: "bye", on: "no_answer" })).toBe(once);
  });

  it("a node takes its edges and ways out along when it goes", () => {
    const { nodes, edges, exits } = withoutParts(FLOW, new Set(["bye"]), new Set());
    expect([nodes.length, edges, exits]).toEqual([2, [FLOW.edges[0]], []]);
  });

  it("what is copied is pasted under new ids with the edges in between, also from the clipboard's text", () => {
    const clip = clipIn(JSON.stringify(clipOf(FLOW, new Set(["hello", "day"]))));
    const { flow, added } = withClip(FLOW, clip ?? { nodes: [], edges: [] });
    expect(flow.nodes.map(({ id }) => id)).toEqual(["hello", "day", "bye", ...added]);
    expect(flow.edges.slice(2)).toEqual([{ from: added[0], to: added[1], on: "next" }]);
    expect(clipIn("Dear all")).toBeUndefined();
    expect(clipIn('{"nodes":[{}],"edges":[]}')).toBeUndefined();
  });

  it("no two nodes are drawn at one place when it is tidied up", () => {
    const wide = withNode(FLOW, { type: "say", place: { x: 0, y: 0 } }).flow;
    const places = tidied(wide).nodes.map(({ position }) => JSON.stringify(position));
    expect(new Set(places).size).toBe(places.length);
  });

  it("each change is taken back and made again, letters of one field as one step", () => {
    const typed = recorded(recorded(NO_HISTORY, "", "text", 0), "H", "text", 200);
    const later = recorded(typed, "Hello", "move", 300);
    const back = undone(later, "moved");
    expect([back?.flow, undone(back?.history ?? NO_HISTORY, "Hello")?.flow]).toEqual(["Hello", ""]);
    expect(redone(back?.history ?? NO_HISTORY, "Hello")?.flow).toBe("moved");
    expect(undone(NO_HISTORY, "x")).toBeUndefined();
    // Two nodes that are deleted quickly one after the other come back one by one.
    const deleted = recorded(recorded(NO_HISTORY, "three", undefined, 0), "two", undefined, 100);
    expect(undone(deleted, "one")?.flow).toBe("two");
  });
});

describe("what is checked as one draws", () => {
  it("names the node that is wrong, before the rest is whole", () => {
    expect(told(FLOW)).toEqual([expect.stringContaining('"day" leads nowhere when there is no answer')]);
    const { flow, added } = withNode(FLOW, { type: "say", place: { x: 0, y: 0 }, after: "day" });
    expect(told(flow)).toEqual([
      expect.stringContaining(`"${added[0]}" leads nowhere when it is done`),
      expect.stringContaining(`From "${added[0]}" no conversation comes to an end`),
    ]);
  });

  it("tells of a field by the name of its node", () => {
    const problems = problemsOf(FLOW, agentWith(FLOW), {
      "brain.flow.nodes.1.save": "This field is required.",
    });
    expect(problems[0]).toEqual({ node: "day", text: "“day”: Keep in variable: This field is required." });
  });

  it("knows the variables that calls bring along, and the tools of the agent", () => {
    const flow: DraftFlow = {
      ...FLOW,
      nodes: [
        { id: "hello", type: "say", text: "{current_weekday} {nick}" },
        { id: "day", type: "tool", tool: "find", arguments: {}, save: [] },
        { id: "bye", type: "end" },
      ],
      edges: [...FLOW.edges, { from: "day", to: "bye", on: "failed" }],
    };
    expect(told(flow)).toHaveLength(2);
    const agent = {
      brain: { kind: "flow", flow, tools: [{ kind: "http", name: "find" }] },
      variables: [{ name: "nick" }],
    };
    expect(problemsOf(flow, agent, {})).toEqual([]);
  });
});
