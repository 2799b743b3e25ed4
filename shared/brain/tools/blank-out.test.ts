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

describe("a text that a tool gives", () => {
  const PIN = 'a"b4711';
  const textShown = (result: unknown, pin: unknown = PIN) =>
    blankOut({ arguments: { pin, name: "Ada" }, result }, { properties: { pin: SECRET, name: {} } }).result;

  it.each<[string, unknown, unknown]>([
    ["is JSON", '\uFEFF {"pin":"0000","nr":1}', '{"pin":"","nr":1}'],
    ["is JSON with the name twice", '{"pin":"0000","pin":""}', '{"pin":""}'],
    ["is JSON in JSON", JSON.stringify(JSON.stringify([{ pin: 1 }])), JSON.stringify('[{"pin":""}]')],
    [
      "is among others",
      { content: [{ text: '{"pin":"0000"}' }, { text: `It was ${PIN}.` }, { text: "Hello Ada" }] },
      { content: [{ text: '{"pin":""}' }, { text: "" }, { text: "Hello Ada" }] },
    ],
    ["is JSON that tells it by another name", JSON.stringify({ was: PIN, nr: 1 }), '{"was":"","nr":1}'],
    ["is JSON that was cut off", JSON.stringify({ was: PIN, nr: 1 }).slice(0, -1), ""],
    ["tells it", `The code ${PIN} is wrong.`, ""],
  ])("is blank where it %s", (_what, result, expected) => {
    expect(textShown(result)).toEqual(expected);
  });

  it.each(['{ "nr": 12345678901234567890 }', "Hello Ada", "4711", "", `${"[".repeat(60)}${"]".repeat(60)}`])(
    "stays as it is where it tells nothing: %s",
    (text) => expect(textShown(text)).toBe(text),
  );

  it("is blank where it tells a number or one of a list, and not what is shorter than four characters", () => {
    expect(textShown("It was 4711.", 4711)).toBe("");
    expect(textShown("It was 4711.", ["0000", { of: "4711" }])).toBe("");
    expect(textShown("It was 471.", "471")).toBe("It was 471.");
  });

  it("loses what is nested too deep to be looked at", () => {
    const deep = `${"[".repeat(100_000)}"0000"${"]".repeat(100_000)}`;
    expect(textShown(deep)).toBe(`${"[".repeat(64)}null${"]".repeat(64)}`);
  });
});
