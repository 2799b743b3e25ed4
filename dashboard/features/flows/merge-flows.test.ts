import { describe, expect, it } from "vitest";
import { mergeFlows } from "./merge-flows.ts";

const say = (id: string, text = id, more = {}) => ({ id, type: "say", text, ...more });
const edge = (from: string, to: string, more = {}) => ({ from, to, on: "next", ...more });
const BASE = {
  start: "a",
  nodes: [say("a"), say("b"), say("c")],
  edges: [edge("a", "b"), edge("b", "c")],
  exits: [{ name: "person", phrases: ["human"], to: "c" }],
  lines: { retry: "What?" },
};

describe("two people who draw the same flow", () => {
  it("both keep the nodes and edges that they added", () => {
    const mine = { ...BASE, nodes: [...BASE.nodes, say("m")], edges: [...BASE.edges, edge("c", "m")] };
    const theirs = { ...BASE, nodes: [...BASE.nodes, say("t")], edges: [...BASE.edges, edge("c", "t")] };
    const merged = mergeFlows(BASE, mine, theirs);
    expect(merged.nodes).toEqual([...BASE.nodes, say("t"), say("m")]);
    expect(merged.edges).toEqual([...BASE.edges, edge("c", "t"), edge("c", "m")]);
  });

  it("keep what they changed of the same node, field by field; of the same field it is what is put on top", () => {
    const mine = { ...BASE, nodes: [say("a", "mine"), say("b"), say("c", "c", { name: "Mine" })] };
    const theirs = { ...BASE, nodes: [say("a", "theirs"), say("b", "theirs"), say("c", "theirs")] };
    expect(mergeFlows(BASE, mine, theirs).nodes).toEqual([
      say("a", "mine"),
      say("b", "theirs"),
      say("c", "theirs", { name: "Mine" }),
    ]);
  });

  it("lose a node that one deleted only when the other left it alone, and no edge leads to one that is gone", () => {
    const mine = { ...BASE, nodes: [say("a")], edges: [] };
    const theirs = { ...BASE, nodes: [say("a"), say("b", "theirs"), say("c")] };
    const merged = mergeFlows(BASE, mine, {
      ...theirs,
      edges: [...BASE.edges, edge("b", "c", { judge: "x" })],
    });
    expect(merged.nodes).toEqual([say("a"), say("b", "theirs")]);
    expect(merged.edges).toEqual([]);
  });

  it("both keep a node that they added under the same id, and the edges of each lead to their own", () => {
    const nodes = (text: string) => [...BASE.nodes, say("new", text)];
    const mine = { ...BASE, start: "new", nodes: nodes("mine"), edges: [...BASE.edges, edge("c", "new")] };
    const theirs = { ...BASE, nodes: nodes("theirs"), edges: [...BASE.edges, edge("b", "new")] };
    const merged = mergeFlows(BASE, mine, theirs);
    const [, , , their, my, ...more] = merged.nodes as { id: string; text: string }[];
    expect([their?.id, their?.text, my?.text, more]).toEqual(["new", "theirs", "mine", []]);
    expect(my?.id).toMatch(/^say_/);
    expect(merged.start).toBe(my?.id);
    expect(merged.edges).toEqual([...BASE.edges, edge("b", "new"), edge("c", my?.id ?? "?")]);
    // The same change made twice is one.
    expect(mergeFlows(BASE, theirs, theirs).nodes).toEqual(theirs.nodes);
  });

  it("both keep exits that have the same name", () => {
    const exits = (...phrases: string[]) =>
      phrases.map((one) => ({ name: "Exit 1", phrases: [one], to: "c" }));
    const merged = mergeFlows(
      { ...BASE, exits: [] },
      { ...BASE, exits: exits("mine", "too") },
      { ...BASE, exits: exits("theirs") },
    );
    expect(merged.exits).toEqual(exits("theirs", "mine", "too"));
  });

  it("keep the order in which edges are looked at", () => {
    const first = edge("a", "c", { judge: "so" });
    const mine = { ...BASE, edges: [first, ...BASE.edges] };
    const theirs = { ...BASE, edges: [...BASE.edges, edge("c", "a")] };
    expect(mergeFlows(BASE, mine, theirs).edges).toEqual([first, ...BASE.edges, edge("c", "a")]);
  });

  it("keep exits, lines and the start as nodes", () => {
    const person = { name: "person", phrases: ["human", "agent"], to: "c" };
    const mine = { ...BASE, exits: [person] };
    const wrong = { name: "wrong number", phrases: ["wrong"], to: "c" };
    const theirs = { ...BASE, start: "b", lines: { retry: "Sorry?" }, exits: [...BASE.exits, wrong] };
    expect(mergeFlows(BASE, mine, theirs)).toMatchObject({
      start: "b",
      lines: { retry: "Sorry?" },
      exits: [person, wrong],
    });
  });
});
