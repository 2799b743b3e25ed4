import { describe, expect, it } from "vitest";
import { HeardMemory } from "./heard-memory.ts";

const HEARD = { text: "Your table", interruptedAtMs: 800 };

describe("what the brain is told was heard", () => {
  it("goes with the turn that interrupted, also when that turn is asked again, and with no other", () => {
    const memory = new HeardMemory();
    memory.cut(2, HEARD);
    expect(memory.before(2)).toEqual(HEARD);
    memory.abandon(2);
    expect(memory.before(2)).toEqual(HEARD);
    expect(memory.before(3)).toBeUndefined();
  });

  it("is nothing when a turn was abandoned before it was answered", () => {
    const memory = new HeardMemory();
    memory.abandon(1);
    expect(memory.before(2)).toEqual({ text: "", interruptedAtMs: 0 });
    expect(memory.before(3)).toBeUndefined();
  });

  it("stays true when the turn that should have told it was abandoned", () => {
    const memory = new HeardMemory();
    memory.cut(2, HEARD);
    memory.abandon(2);
    expect(memory.before(3)).toEqual(HEARD);
  });

  it("keeps the agent's own lines, the last fifty of them", () => {
    const memory = new HeardMemory();
    for (let turn = 0; turn < 60; turn++) memory.line({ turn, text: `line ${turn}` });
    expect(memory.lines).toHaveLength(50);
    expect(memory.lines.at(-1)).toEqual({ turn: 59, text: "line 59" });
  });
});
