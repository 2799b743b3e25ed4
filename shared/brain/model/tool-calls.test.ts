import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallDelta } from "./chunks.ts";
import { ToolCallAssembler } from "./tool-calls.ts";

function assembled(deltas: readonly CallDelta[]): readonly [name: string, argumentsText: string][] {
  const assembler = new ToolCallAssembler();
  for (const delta of deltas) assembler.push(delta);
  return assembler.calls.map(({ name, argumentsText }) => [name, argumentsText]);
}

const begun = (index: number, name: string, id = `call_${name}`): CallDelta => ({
  index,
  id,
  function: { name, arguments: "" },
});
const piece = (index: number, text: string): CallDelta => ({ index, function: { arguments: text } });

describe("tool calls that stream", () => {
  it.each<[string, CallDelta[], [string, string][]]>([
    ["in pieces", [begun(0, "a"), piece(0, '{"x"'), piece(0, ":1}")], [["a", '{"x":1}']]],
    [
      "two at a time, their pieces mixed",
      [begun(0, "a"), begun(1, "b"), piece(1, "{}"), piece(0, "[]")],
      [
        ["a", "[]"],
        ["b", "{}"],
      ],
    ],
    [
      "whole, without an index",
      [
        { id: "1", function: { name: "a", arguments: "{}" } },
        { id: "2", function: { name: "a", arguments: "[]" } },
      ],
      [
        ["a", "{}"],
        ["a", "[]"],
      ],
    ],
    [
      "whole, all with the same index",
      [
        { index: 0, id: "1", function: { name: "a", arguments: "{}" } },
        { index: 0, id: "2", function: { name: "b", arguments: "[]" } },
      ],
      [
        ["a", "{}"],
        ["b", "[]"],
      ],
    ],
    [
      "with id and name in every piece",
      [
        { index: 0, id: "1", function: { name: "a", arguments: "{" } },
        { index: 0, id: "1", function: { name: "a", arguments: "}" } },
      ],
      [["a", "{}"]],
    ],
    [
      "with the name in the second piece",
      [{ index: 0, id: "1", function: {} }, { index: 0, function: { name: "b" } }, piece(0, "{}")],
      [["b", "{}"]],
    ],
    [
      "with the name in the second piece, and no index",
      [
        { id: "1", function: { arguments: "" } },
        { function: { name: "b" } },
        { function: { arguments: "{}" } },
      ],
      [["b", "{}"]],
    ],
    [
      "with id and name after the first piece",
      [{ index: 0 }, { index: 0, id: "1", function: { name: "b" } }, piece(0, "{}")],
      [["b", "{}"]],
    ],
    ["with nulls", [{ index: 0, id: "1", function: { name: "a", arguments: null } }], [["a", ""]]],
  ])("are put together when they come %s", (_how, deltas, expected) => {
    expect(assembled(deltas)).toEqual(expected);
  });

  it("are the same however their arguments are cut and mixed", () => {
    const call = fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.json());
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 5 }),
        fc.infiniteStream(fc.nat()),
        (calls, random) => {
          const left = calls.map(([, text]) => text);
          const deltas = calls.map(([name], index) => begun(index, name, `call_${index}`));
          const next = (): number => random.next().value ?? 0;
          while (left.some((text) => text !== "")) {
            const index = next() % left.length;
            const text = left[index] ?? "";
            const cut = 1 + (next() % 9);
            deltas.push(piece(index, text.slice(0, cut)));
            left[index] = text.slice(cut);
          }
          expect(assembled(deltas)).toEqual(calls);
        },
      ),
    );
  });

  it("have a name to answer to even when the server gives them none", () => {
    const assembler = new ToolCallAssembler();
    assembler.push({ function: { name: "a", arguments: "{}" } });
    assembler.push({ function: { name: "b", arguments: "{}" } });
    expect(assembler.calls.map(({ id }) => id)).toEqual(["call_0", "call_1"]);
  });

  it("are given up when they have no end", () => {
    const assembler = new ToolCallAssembler();
    assembler.push(begun(0, "a"));
    const flood = () => {
      for (let i = 0; i < 1_000; i++) assembler.push(piece(0, "x".repeat(1_000)));
    };
    expect(flood).toThrow(expect.objectContaining({ failure: "too_large" }));
  });
});
