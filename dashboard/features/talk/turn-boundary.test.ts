import { describe, expect, test } from "vitest";
import { TurnBoundary } from "./turn-boundary.ts";

/** What the gateway sends between two stretches of agent audio, and whether the second is a new turn. */
const CASES: readonly [title: string, between: readonly string[], isNew: boolean][] = [
  ["audio goes on", [], false],
  ["the call was resumed in mid-turn", ["speaking"], false],
  ["the brain dropped what was queued", ["clear"], false],
  ["a false alarm", ["listening", "clear", "speaking"], false],
  ["the turn was over, a prompt follows", ["listening"], true],
  ["the caller answered", ["listening", "thinking", "speaking"], true],
  ["the caller spoke over the agent", ["listening", "clear", "thinking"], true],
  ["the caller typed over the agent", ["thinking", "clear"], true],
];

describe("TurnBoundary", () => {
  test("the first audio of a call begins a turn", () => {
    expect(new TurnBoundary().onAudio()).toBe(true);
  });

  test.each(CASES)("%s", (_, between, isNew) => {
    const boundary = new TurnBoundary();
    boundary.onAudio();
    for (const word of between) {
      if (word === "clear") boundary.onClear();
      else boundary.onState(word as "listening" | "thinking" | "speaking");
    }
    expect(boundary.onAudio()).toBe(isNew);
    expect(boundary.onAudio()).toBe(false);
  });
});
