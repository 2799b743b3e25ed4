import { describe, expect, it } from "vitest";
import { blankOut } from "./blank-out.ts";

const SECRET = { type: "string", format: "password", writeOnly: true };
const shown = (parameter: object, args: unknown, more: object = {}) =>
  blankOut({ arguments: args, result: null }, { properties: { pin: parameter, name: {} }, ...more })
    .arguments;

describe("a parameter that is not to be shown", () => {
  it.each<[string, object, object?]>([
    ["by itself", SECRET],
    ["by an alternative", { anyOf: [SECRET, { type: "null" }] }],
    ["by one of several", { oneOf: [{ type: "integer" }, { allOf: [{ writeOnly: true }] }] }],
    ["by a condition", { if: { minLength: 4 }, else: SECRET }],
    ["by its items", { type: "array", items: { format: "password" } }],
    ["by one of its items", { type: "array", prefixItems: [{}, SECRET] }],
    ["by its values", { type: "object", additionalProperties: SECRET }],
    ["by some of its values", { type: "object", patternProperties: { "^x": SECRET } }],
    ["by a reference", { $ref: "#/$defs/Secret" }, { $defs: { Secret: SECRET } }],
    ["by an escaped one", { $ref: "#/$defs/a~1b%20c" }, { $defs: { "a/b c": SECRET } }],
    [
      "by references in a circle",
      { $ref: "#/$defs/A" },
      { $defs: { A: { anyOf: [{ $ref: "#/$defs/B" }] }, B: { oneOf: [{ $ref: "#/$defs/A" }, SECRET] } } },
    ],
  ])("may be declared %s", (_how, parameter, more) => {
    expect(shown(parameter, { pin: "1234", name: "Ada" }, more)).toEqual({ pin: "", name: "Ada" });
    const nested = { orders: [{ pin: ["1234"], name: "Ada" }] };
    expect(shown(parameter, nested, more)).toEqual({ orders: [{ pin: "", name: "Ada" }] });
  });

  it("is not one that refers to nothing, to another server, or to itself", () => {
    for (const $ref of ["#/$defs/no", "#/%", "https://example.com/secret.json", "#/properties/pin", "#", 7])
      expect(shown({ $ref }, { pin: "1234" })).toEqual({ pin: "1234" });
  });

  it("takes all arguments with it, and the result, where all of them are declared so", () => {
    const parameters = { properties: { name: {} }, additionalProperties: SECRET };
    const told = { arguments: { name: "Ada", code: "1234" }, result: { code: "1234" } };
    expect(blankOut(told, parameters)).toEqual({ arguments: "", result: "" });
  });
});
