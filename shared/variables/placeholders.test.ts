import { describe, expect, it } from "vitest";
import { fillPlaceholders, fromVariables, resolvePlaceholders } from "./placeholders.ts";

const variables = { name: "Ada", city: "London" };

describe("placeholders", () => {
  it.each<[string, string]>([
    ["Hello {name}!", "Hello Ada!"],
    ["Hello {{ name }}, how is {{city}}?", "Hello Ada, how is London?"],
    ["Hello {nobody}, welcome.", "Hello, welcome."],
    ["{constructor}{__proto__}", ""],
    ["{ not a name }", "{ not a name }"],
  ])("of a spoken line: %j is %j", (text, expected) => {
    expect(resolvePlaceholders(text, variables)).toBe(expected);
  });

  it("of a prompt keep its lines and indents as they are", () => {
    const prompt = "You talk to {name}.\n  - be kind  \n  - {missing}";
    expect(fillPlaceholders(prompt, fromVariables(variables))).toBe("You talk to Ada.\n  - be kind  \n  - ");
  });
});
