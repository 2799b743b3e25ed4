import { DEFAULT_PII_POLICY } from "@parley/shared/contracts/pii.ts";
import { Scrubber } from "@parley/shared/pii/scrubber.ts";
import { describe, expect, it } from "vitest";
import { cutTexts } from "./cut-texts.ts";
import { analyzeLocally } from "./local/analyze-locally.ts";
import { scrubAnalysis } from "./scrub.ts";

const CARD = "4111 1111 1111 1111";

describe("a text of an analysis that is too long", async () => {
  const conversation = [{ role: "user" as const, text: "Hello." }];
  const analysis = await analyzeLocally({ conversation, settings: { customFields: [] } });

  it("is masked before it is cut, so that no part of a card number is left", () => {
    const summary = `${"x".repeat(3_985)} ${CARD} was read out.`;
    const scrubber = new Scrubber(DEFAULT_PII_POLICY);
    const kept = cutTexts(scrubAnalysis({ ...analysis, summary, customData: { note: summary } }, scrubber));
    expect(kept.summary).toHaveLength(4_000);
    expect(JSON.stringify(kept)).not.toMatch(/4111/);
  });

  it("is not cut through a character", () => {
    const kept = cutTexts({ ...analysis, actionItems: [`${"x".repeat(3_999)}😀`, "Call back."] });
    expect(kept.actionItems[0]?.isWellFormed()).toBe(true);
    expect(kept.actionItems[1]).toBe("Call back.");
  });
});
