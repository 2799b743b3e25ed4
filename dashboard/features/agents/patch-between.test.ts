import { type Json, mergePatch } from "@parley/shared/contracts/merge-patch.ts";
import { describe, expect, it } from "vitest";
import { patchBetween, touchedPaths } from "./patch-between.ts";

const custom = { url: "https://a.example", payload: { tenant: 7, plan: "gold" }, idleTimeoutMs: 100 };

describe("the patch between two settings", () => {
  it.each<[string, Json, Json, Json]>([
    ["one value", { a: 1, b: { c: 2 } }, { a: 1, b: { c: 3 } }, { b: { c: 3 } }],
    ["a value that is gone", { a: 1, b: 2 }, { a: 1 }, { b: null }],
    ["a list, whole", { l: [1, 2] }, { l: [2] }, { l: [2] }],
    ["an object that comes", { a: 1 }, { a: 1, b: { c: 2 } }, { b: { c: 2 } }],
    ["nothing", { a: { b: [1] } }, { a: { b: [1] } }, {}],
    [
      "a key of a payload",
      { brain: custom },
      { brain: { ...custom, payload: { tenant: 7 } } },
      { brain: { payload: { plan: null } } },
    ],
    [
      "a brain of another kind, whole",
      { brain: custom },
      { brain: { kind: "model", model: "m", idleTimeoutMs: 100 } },
      { brain: { kind: "model", model: "m", idleTimeoutMs: 100 } },
    ],
    [
      "a payload's own kind",
      { brain: { ...custom, payload: { kind: "a", b: 1 } } },
      { brain: { ...custom, payload: { kind: "c", b: 1 } } },
      { brain: { payload: { kind: "c", b: 1 } } },
    ],
    [
      "a payload's own kind that is gone",
      { brain: { ...custom, payload: { kind: "a", b: 1 } } },
      { brain: { ...custom, payload: { b: 1 } } },
      { brain: { payload: { kind: null, b: 1 } } },
    ],
  ])("says %s, and makes the one of the other", (_, before, after, patch) => {
    expect(patchBetween(before, after)).toEqual(patch);
    expect(mergePatch(before, patchBetween(before, after))).toEqual(after);
  });

  it("touches settings, down to lists and single values", () => {
    expect(touchedPaths({ name: "A", brain: { payload: { plan: null }, tools: [{}] }, silence: {} })).toEqual(
      ["name", "brain.payload.plan", "brain.tools", "silence"],
    );
  });
});
