import { agentConfigSchema } from "@parley/shared/contracts/agents.ts";
import { describe, expect, it } from "vitest";
import { spokenLine, withSpokenLines } from "./spoken-lines.ts";

const variables = { name: "Ada", long: "x".repeat(5_000) };
const brain = { url: "https://brain.example/", fallbackLine: "Sorry, {name}?" };

describe("the lines of an agent", () => {
  it("are spoken with the variables of the call, each of them", () => {
    const settings = agentConfigSchema.parse({
      brain,
      firstResponse: "Hello {{name}}.",
      waiting: { line: "One moment, {{name}}.", againLine: "Still at it, {{name}}." },
      outage: { hearingLine: "I can't hear you, {{name}}." },
      silence: { prompts: ["Hello {{name}}?", "{nobody}", "Still there, {name}?"] },
    });
    expect(withSpokenLines(settings, { firstResponse: undefined, variables })).toMatchObject({
      firstResponse: "Hello Ada.",
      waiting: { line: "One moment, Ada.", againLine: "Still at it, Ada." },
      outage: { hearingLine: "I can't hear you, Ada." },
      silence: { prompts: ["Hello Ada?", "Still there, Ada?"] },
      brain: { fallbackLine: "Sorry, Ada?" },
    });
    const asked = withSpokenLines(settings, { firstResponse: "Good day, {name}.", variables });
    expect(asked.firstResponse).toBe("Good day, Ada.");
  });

  it.each([
    ["This is Acme for {{name}}.", "This is Acme for Ada."],
    ["{nobody}", undefined],
    [undefined, undefined],
    ["{long}", "x".repeat(4_000)],
  ])("such as %j are %j", (line, spoken) => {
    expect(spokenLine(line, variables)).toBe(spoken);
  });
});
