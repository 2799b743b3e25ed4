import { describe, expect, it } from "vitest";
import { factsOf, rangeText } from "./field-facts.ts";

describe("what the API takes", () => {
  it.each([
    ["brain.idleTimeoutMs", "100 to 120,000 ms, default 10,000"],
    ["brain.temperature", "0 to 2"],
    ["maxDurationMs", "0.02 to 240 min, default 60"],
    ["silence.promptAfterMs", "0 to 600 s, default 12"],
    ["turnTaking.bargeIn.minWords", "0 to 20, default 0"],
    ["brain.tools.3.timeoutMs", "100 to 60,000 ms, default 10,000"],
  ])("at %s is %s", (path, text) => {
    expect(rangeText(path)).toBe(text);
  });

  it("is chosen from what the schema names, and is as long as it says", () => {
    expect(factsOf("tts.0.vendor").options).toContain("flite");
    expect(factsOf("voicemail.action").options).toEqual(["hangup", "message", "continue"]);
    expect(factsOf("brain.prompt").maxLength).toBe(100_000);
    expect(factsOf("no.such.field")).toEqual({});
  });
});
