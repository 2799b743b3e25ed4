import { expect, test } from "vitest";
import { argumentText, readArgument } from "./argument-field.tsx";
import { argumentsOf } from "./argument-list.ts";

test("arguments are read from a JSON Schema, each with the field that suits it", () => {
  const schema = {
    type: "object",
    properties: {
      number: { type: "string", description: "Its number" },
      count: { type: "integer" },
      express: { type: "boolean" },
      size: { type: "string", enum: ["s", "m"] },
      attendee: { type: "object" },
      odd: true,
    },
    required: ["number"],
  };
  expect(argumentsOf(schema).map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ["number", "text", true],
    ["count", "number", false],
    ["express", "yes or no", false],
    ["size", "choice", false],
    ["attendee", "json", false],
    ["odd", "json", false],
  ]);
  expect(argumentsOf({})).toEqual([]);
});

test.each([
  ["1001", "text", "1001"],
  ["1001", "number", 1_001],
  ["true", "yes or no", true],
  ['{"a":1}', "json", { a: 1 }],
  ["{a", "json", "{a"],
  [" ", "text", undefined],
] as const)("“%s” as %s becomes a value, and the text again", (text, type, value) => {
  expect(readArgument(text, type)).toEqual(value);
  expect(argumentText(value)).toBe(value === undefined ? "" : text);
});
