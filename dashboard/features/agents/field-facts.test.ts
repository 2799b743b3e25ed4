import { describe, expect, it } from "vitest";
import { factsOf, rangeText } from "./field-facts.ts";

describe("what the API takes", () => {
  it.each([
    ["brain.idleTimeoutMs", "100 ms to 120,000 ms, usually 10,000 ms"],
    ["brain.temperature", "0 to 2"],
    ["maxDurationMs", "0.017 min to 240 min, usually 60 min"],
    ["silence.promptAfterMs", "0 s to 600 s, usually 12 s"],
    ["turnTaking.bargeIn.minWords", "0 to 20, usually 0"],
    ["brain.tools.3.timeoutMs", "100 ms to 60,000 ms, usually 10,000 ms"],
  ])("at %s is %s", (path, text) => {
    expect(rangeText(path)).toBe(text);
  });

  it("is chosen from what the schema names, and is as long as it says", () => {
    expect(factsOf("tts.0.vendor").options).toContain("flite");
    expect(factsOf("voicemail.action").options).toEqual(["hangup", "message", "continue"]);
    expect(factsOf("brain.prompt").maxLength).toBe(100_000);
    expect(factsOf("no.such.field")).toEqual({ options: [] });
  });
});
