import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AppError } from "../errors.ts";
import { invalidInput, parseInput } from "./problems.ts";

function refusal(schema: z.ZodType, input: unknown): AppError {
  try {
    parseInput(schema, input, "body");
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("it was accepted");
}
const fieldsOf = (schema: z.ZodType, input: unknown) => refusal(schema, input).details?.fields;

const person = z.strictObject({
  name: z.string().min(1).max(10),
  age: z.coerce.number().int().min(1).max(100).optional(),
  role: z.enum(["owner", "viewer"]).optional(),
  tags: z.array(z.string().min(2)).max(2).optional(),
  email: z.email().optional(),
  at: z.iso.datetime().optional(),
  isActive: z.boolean().optional(),
  password: z.string().min(8, "at least 8 characters").optional(),
  id: z.union([z.string(), z.number()]).optional(),
  brain: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("custom"), url: z.url() }),
      z.object({ kind: z.literal("openai"), model: z.string() }),
    ])
    .optional(),
  sink: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("file").optional() }),
      z.object({ kind: z.literal("socket") }),
    ])
    .optional(),
});

describe("what is wrong with an input", () => {
  it.each<[unknown, Record<string, string>]>([
    [{}, { name: "is required" }],
    [{ name: "" }, { name: "must not be empty" }],
    [{ name: 7 }, { name: "must be a string" }],
    [{ name: "01234567890" }, { name: "must have at most 10 characters" }],
    [{ name: "a", age: "abc" }, { age: "must be a number" }],
    [{ name: "a", age: 1.5 }, { age: "must be a whole number" }],
    [{ name: "a", age: 101 }, { age: "must be at most 100" }],
    [{ name: "a", role: "root" }, { role: "must be one of owner, viewer" }],
    [{ name: "a", tags: ["ok", "ok", "ok"] }, { tags: "must have at most 2 items" }],
    [{ name: "a", tags: ["x"] }, { "tags.0": "must have at least 2 characters" }],
    [{ name: "a", email: "x" }, { email: "must be an email address" }],
    [{ name: "a", at: "today" }, { at: "must be a date and time such as 2026-01-31T09:30:00Z" }],
    [{ name: "a", isActive: "true" }, { isActive: "must be true or false" }],
    [{ name: "a", password: "x" }, { password: "at least 8 characters" }],
    [{ name: "a", id: null }, { id: "must be a string or a number" }],
    [{ name: "a", brain: {} }, { "brain.kind": "is required" }],
    [{ name: "a", brain: { kind: "x" } }, { "brain.kind": "must be one of custom, openai" }],
    [{ name: "a", sink: { kind: "x" } }, { "sink.kind": "must be one of file, socket" }],
    [{ name: "a", brain: { kind: "custom", url: "x" } }, { "brain.url": "must be a URL" }],
    [{ name: "a", nope: 1 }, { nope: "is not a known field" }],
    ["text", { body: "must be a JSON object" }],
    [undefined, { body: "is required" }],
  ])("is said in plain English: %j", (input, fields) => {
    expect(fieldsOf(person, input)).toEqual(fields);
  });

  it("reads as a sentence", () => {
    expect(refusal(person, { password: "x" }).message).toBe(
      "Invalid body: name is required; password: at least 8 characters.",
    );
  });

  it("has all that is wrong with one field under that field", () => {
    const problems = [
      { field: "node", text: "leads nowhere" },
      { field: "edge", text: "is never taken" },
      { field: "node", text: "is never reached" },
    ];
    expect(invalidInput("body", problems).details).toEqual({
      fields: { node: "leads nowhere; is never reached", edge: "is never taken" },
    });
  });

  it("is judged by the form that was probably meant", () => {
    const target = z.union([z.object({ url: z.url() }), z.object({ id: z.string(), kind: z.literal("id") })]);
    expect(fieldsOf(z.object({ target }), { target: { url: "x" } })).toEqual({
      "target.url": "must be a URL",
    });
  });

  it("stays short, whatever was sent", () => {
    const unknown = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`k${i}`.padEnd(200, "x"), i]),
    );
    const many = refusal(person, { name: "a", ...unknown });
    expect(many.message).toMatch(/and 9992 more\.$/);
    expect(JSON.stringify({ ...many, message: many.message }).length).toBeLessThan(4_096);
    const list = refusal(
      z.array(z.string()),
      Array.from({ length: 100_000 }, () => 1),
    );
    expect(list.message.length).toBeLessThan(1_000);
  });
});
