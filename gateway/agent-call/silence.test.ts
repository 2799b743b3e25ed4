import { describe, expect, it } from "vitest";
import { SilenceWatch } from "./silence.ts";

describe("silence", () => {
  it("is prompted from the first prompt on after a turn that came and went between two looks", () => {
    const silence = new SilenceWatch(
      { promptAfterMs: 1_000, prompts: ["One?", "Two?"], hangupAfterMs: 3_000 },
      0,
    );
    expect(silence.check(1_000)).toMatchObject({ text: "One?" });
    silence.noteTurn(1, 1_050);
    expect(silence.check(2_000)).toBeUndefined();
    expect(silence.check(2_050)).toMatchObject({ text: "One?" });
    silence.noteTurn(1, 2_100);
    expect(silence.check(3_050)).toMatchObject({ text: "Two?" });
    expect(silence.check(6_050)).toMatchObject({ action: "hangup" });
  });
});
