import type { BrainPart } from "@parley/shared/brain/client.ts";
import { describe, expect, it } from "vitest";
import { requireAnswer } from "./require-answer.ts";

const token = (text: string): BrainPart => ({ type: "token", text });
const flush: BrainPart = { type: "control", control: { event: "flush" } };
const listen: BrainPart = { type: "control", control: { event: "listen", expect: "digits" } };
const keys: BrainPart = { type: "control", control: { event: "dtmf", digits: "1#" } };

/** Reads an answer to its end; gives what came of it, and how it ended. */
async function read(parts: readonly BrainPart[], signal = new AbortController().signal) {
  const came: BrainPart[] = [];
  let empties = 0;
  const source = (async function* () {
    yield* parts;
  })();
  try {
    for await (const part of requireAnswer(source, { signal, onEmpty: () => empties++ })) came.push(part);
  } catch (error) {
    expect(error).toMatchObject({ failure: "empty" });
    expect(empties).toBe(1);
    return { came, end: "empty" };
  }
  expect(empties).toBe(0);
  return { came, end: "answered" };
}

describe("an answer with nothing to say", () => {
  it.each<[string, readonly BrainPart[]]>([
    ["nothing", []],
    ["blanks", [token(" "), token("\n\n"), token("\u00a0")]],
    ["a model's thoughts", [token("<thi"), token("nk>They want"), token(" it.</think>"), token("\n")]],
    ["a thought without an end", [token("<think>They want it")]],
    ["tags", [token("<break time='1s'/>"), token("<p></p>")]],
    ["marks", [token("…"), token(" — "), token("***")]],
    ["emoji", [token("👍🏽"), token("❤️"), token("👩‍👩‍👧")]],
    ["a flush", [flush]],
  ])("is told of: %s", async (_name, parts) => {
    expect(await read(parts)).toEqual({ came: parts, end: "empty" });
  });

  it.each<[string, readonly BrainPart[]]>([
    ["a word behind thoughts", [token("<think>Hm.</think>"), token("Yes.")]],
    ["a figure", [token("7")]],
    ["what only looks like a tag", [token("<b")]],
    ["words of another script", [token("हाँ")]],
    ["a control event", [listen]],
    ["keys behind thoughts", [token("<think>Hm.</think>"), keys]],
  ])("is not what this is: %s", async (_name, parts) => {
    expect(await read(parts)).toEqual({ came: parts, end: "answered" });
  });

  it("is nobody's business any more when nobody waits for it", async () => {
    expect(await read([token(" ")], AbortSignal.abort())).toMatchObject({ end: "answered" });
  });
});
