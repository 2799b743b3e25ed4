import { expect, test } from "vitest";
import { livePath } from "./live-path.ts";

test.each([
  ["of the stream while the record has none yet", [], ["a", "b"], ["a", "b"]],
  ["of the record where the stream began later", ["a", "b"], [], ["a", "b"]],
  ["of both, each once", ["a", "b"], ["b", "c"], ["a", "b", "c"]],
  ["of the record again once it has those of the stream", ["a", "b", "c"], ["b", "c"], ["a", "b", "c"]],
  ["of the record where the stream lost one", ["a", "b", "c"], ["a", "c"], ["a", "b", "c"]],
  ["that a call comes to twice", ["a", "b"], ["a", "b", "a"], ["a", "b", "a"]],
])("a live call's nodes are those %s", (_which, kept, seen, path) => {
  expect(livePath(kept, seen)).toEqual(path);
});
