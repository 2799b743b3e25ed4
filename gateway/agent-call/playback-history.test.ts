import { describe, expect, it } from "vitest";
import { PlaybackHistory } from "./playback-history.ts";

const HEARD = { turn: 1, text: "Your table", interruptedAtMs: 800 };

describe("what the brain is told was heard", () => {
  it("goes with the turn that interrupted, also when that turn is asked again, and with no other", () => {
    const memory = new PlaybackHistory();
    memory.cut(HEARD);
    expect(memory.before(2)).toEqual(HEARD);
    memory.abandon(2);
    expect(memory.before(2)).toEqual(HEARD);
    expect(memory.before(3)).toBeUndefined();
  });

  it("is nothing when a turn was abandoned before it was answered", () => {
    const memory = new PlaybackHistory();
    memory.before(1);
    memory.abandon(1);
    expect(memory.before(2)).toEqual({ turn: 1, text: "", interruptedAtMs: 0 });
    expect(memory.before(3)).toBeUndefined();
  });

  it("is told once: a turn that had no answer has nothing of the answer before it", () => {
    const memory = new PlaybackHistory();
    memory.cut(HEARD);
    expect(memory.before(2)).toEqual(HEARD);
    memory.abandon(2);
    expect(memory.before(3)).toEqual({ turn: 2, text: "", interruptedAtMs: 0 });
    expect(memory.before(4)).toBeUndefined();
  });

  it("is told with the next turn when the one that should have told it was never asked", () => {
    const memory = new PlaybackHistory();
    memory.before(1);
    memory.cut(HEARD);
    memory.abandon(2);
    expect(memory.before(3)).toEqual(HEARD);
  });

  it("keeps the agent's own lines, the last fifty of them", () => {
    const memory = new PlaybackHistory();
    for (let turn = 0; turn < 60; turn++) memory.line({ turn, text: `line ${turn}` });
    expect(memory.lines).toHaveLength(50);
    expect(memory.lines.at(-1)).toEqual({ turn: 59, text: "line 59" });
  });
});
