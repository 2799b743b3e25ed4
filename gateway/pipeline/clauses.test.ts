import type { BrainPart } from "@parley/shared/brain/client.ts";
import { describe, expect, it } from "vitest";
import { intoClauses, type SpeechStep } from "./clauses.ts";

const token = (text: string): BrainPart => ({ type: "token", text });

/** Parts as a brain streams them; `wait` stands for a pause that lets the clause's flush come first. */
async function* stream(...parts: (BrainPart | "wait")[]): AsyncIterable<BrainPart> {
  for (const part of parts) {
    if (part === "wait") await new Promise((resolve) => setTimeout(resolve, 5));
    else yield part;
  }
}

async function steps(parts: AsyncIterable<BrainPart>): Promise<(string | undefined)[]> {
  const seen: SpeechStep[] = [];
  // The flush comes after the turn of the event loop, long before a "wait" is over.
  const after = (_ms: number, fn: () => void) => {
    const immediate = setImmediate(fn);
    return () => clearImmediate(immediate);
  };
  for await (const step of intoClauses(parts, { clauseFlushMs: 1, after })) seen.push(step);
  return seen.map((step) => (step.type === "clause" ? step.text.trim() : `<${step.control.event}>`));
}

describe("putting tokens together", () => {
  it("gives whole sentences as they are complete", async () => {
    expect(await steps(stream(token("The first sentence is here. "), token("And a second one.")))).toEqual([
      "The first sentence is here.",
      "And a second one.",
    ]);
  });

  it("speaks the words of a clause that stays open too long, but never half a word", async () => {
    expect(await steps(stream(token("Let me see"), "wait", token(" what I can do.")))).toEqual([
      "Let me",
      "see what I can do.",
    ]);
    expect(await steps(stream(token("I made your reser"), "wait", token("vation.")))).toEqual([
      "I made your",
      "reservation.",
    ]);
    expect(await steps(stream(token("Hel"), "wait", token("lo."), "wait", token(" Bye.")))).toEqual([
      "Hello.",
      "Bye.",
    ]);
  });

  it("speaks to the end of what stays open when its last word is surely whole", async () => {
    expect(await steps(stream(token("I look it up."), "wait", token(" Here it is.")))).toEqual([
      "I look it up.",
      "Here it is.",
    ]);
    expect(await steps(stream(token("我来帮你"), "wait", token("查一下。")))).toEqual([
      "我来帮你",
      "查一下。",
    ]);
  });

  it("never speaks half a tag nor a thought", async () => {
    const parts = [
      token("Well, <spe"),
      "wait",
      token("ll>yes</spell> <think>Hm. Hm"),
      "wait",
      token("</think>no."),
    ] as const;
    expect(await steps(stream(...parts))).toEqual(["Well,", "yes", "no."]);
  });

  it("keeps control events in their place, after what was said before them", async () => {
    const clear: BrainPart = { type: "control", control: { event: "clear" } };
    expect(await steps(stream(token("One moment"), clear, token("Done.")))).toEqual([
      "One moment",
      "<clear>",
      "Done.",
    ]);
  });

  it("says the farewell before the call ends", async () => {
    const end: BrainPart = { type: "control", control: { event: "call_end", farewell: "Goodbye." } };
    expect(await steps(stream(token("All set."), end))).toEqual(["All set.", "Goodbye.", "<call_end>"]);
  });

  it("closes the brain's stream when nobody reads on", async () => {
    let isClosed = false;
    async function* endless(): AsyncIterable<BrainPart> {
      try {
        while (true) yield token("And another sentence here. ");
      } finally {
        isClosed = true;
      }
    }
    const after = () => () => undefined;
    for await (const step of intoClauses(endless(), { clauseFlushMs: 1_000, after })) {
      if (step.type === "clause") break;
    }
    expect(isClosed).toBe(true);
  });

  it("lets other calls go on while it cuts a token of many, also where nothing of it is said", async () => {
    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    await steps(stream(token(".".repeat(100_000))));
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(99);
  });

  it("cuts a long token like its parts, and no character in two", async () => {
    const text = "And one sentence more is said. 👋".repeat(100);
    const whole = await steps(stream(token(text)));
    expect(whole.join(" ")).toBe(Array(100).fill("And one sentence more is said.").join(" "));
  });
});
