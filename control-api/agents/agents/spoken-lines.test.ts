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
    ["de-DE", "Einen Moment, bitte.", "Sind Sie noch da?"],
    ["es", "Un momento, por favor.", "¿Sigue usted ahí?"],
    ["fr-CA", "Un instant, s'il vous plaît.", "Êtes-vous toujours là?"],
    ["it", "Un momento, per favore.", "È ancora in linea?"],
    ["hi", "कृपया एक क्षण रुकिए।", "क्या आप अभी भी लाइन पर हैं?"],
    ["en-GB", "One moment, please.", "Are you still there?"],
    ["multi", "One moment, please.", "Are you still there?"],
  ])("that nobody wrote are those of the agent's language: %s", (language, waiting, prompt) => {
    const stt = [{ vendor: "deepgram", language }];
    const settings = agentConfigSchema.parse({ brain: { url: brain.url }, stt });
    const spoken = withSpokenLines(settings, { firstResponse: undefined, variables });
    expect(spoken.waiting.line).toBe(waiting);
    expect(spoken.silence.prompts).toEqual([prompt]);
    const isEnglish = language === "en-GB" || language === "multi";
    expect(spoken.outage.hearingLine === settings.outage.hearingLine).toBe(isEnglish);
    expect(spoken.brain.fallbackLine === settings.brain.fallbackLine).toBe(isEnglish);
    expect(spoken.waiting.againLine === settings.waiting.againLine).toBe(isEnglish);
  });

  it("that somebody wrote stay as they are, whatever the agent's language", () => {
    const stt = [{ vendor: "deepgram", language: "de" }];
    const outage = { hearingLine: "" };
    const settings = agentConfigSchema.parse({ brain, stt, outage, waiting: { line: "Moment, {name}." } });
    const spoken = withSpokenLines(settings, { firstResponse: undefined, variables });
    expect(spoken).toMatchObject({
      outage: { hearingLine: "" },
      waiting: { line: "Moment, Ada." },
      brain: { fallbackLine: "Sorry, Ada?" },
    });
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
