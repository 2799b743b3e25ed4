import { piiPolicySchema } from "@parley/shared/contracts/pii.ts";
import { describe, expect, it } from "vitest";
import { toDraft, toPolicy, withPattern } from "./pii-draft.ts";

const POLICY = piiPolicySchema.parse({
  country: "DE",
  rules: [{ rule: "email", mask: "[mail]" }, { rule: "phone" }],
  patterns: [
    { name: "customer", pattern: "CU-####", mask: "[customer]" },
    { name: "case", pattern: "#####" },
  ],
});

describe("the draft of a PII policy", () => {
  it("that nobody changed is the policy, with its masks", () => {
    expect(toPolicy(toDraft(POLICY))).toEqual(POLICY);
  });

  it("loses blanks around what was typed, and masks that are empty", () => {
    const draft = { ...toDraft(POLICY), country: " gb " };
    const [first, second] = draft.patterns;
    const typed = { ...draft, patterns: [{ ...first, name: " a ", pattern: " ## # ", mask: "  ", key: 0 }] };
    expect(second).toMatchObject({ mask: "" });
    expect(toPolicy(typed)).toMatchObject({ country: "GB", patterns: [{ name: "a", pattern: "## #" }] });
    expect(toPolicy(typed).patterns[0]).not.toHaveProperty("mask");
  });

  it("tells new patterns from each other when ones before were removed", () => {
    const draft = toDraft(POLICY);
    const fewer = { ...draft, patterns: draft.patterns.slice(1) };
    const keys = withPattern(withPattern(fewer)).patterns.map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
  });
});
