import { ManualClock } from "@parley/shared/manual-clock.ts";
import { describe, expect, it } from "vitest";
import { Keypad } from "./keypad.ts";

function setUp() {
  const clock = new ManualClock();
  const digits: string[] = [];
  const entries: string[] = [];
  const keypad = new Keypad({
    now: () => clock.monotonicMs(),
    onDigit: (digit) => digits.push(digit),
    onEntry: (keys) => entries.push(keys),
  });
  return { clock, keypad, digits, entries };
}

describe("the keypad", () => {
  it("tells each press, and the entry after a pause", () => {
    const { clock, keypad, digits, entries } = setUp();
    for (const digit of ["1", "2", "3"] as const) keypad.press(digit, "message");
    clock.advance(1_999);
    keypad.tick();
    expect(entries).toEqual([]);
    clock.advance(1);
    keypad.tick();
    expect(digits).toEqual(["1", "2", "3"]);
    expect(entries).toEqual(["123"]);
  });

  it("ends an entry at the pound key", () => {
    const { keypad, entries } = setUp();
    keypad.press("7", "message");
    keypad.press("#", "message");
    expect(entries).toEqual(["7#"]);
  });

  it("takes a key that comes by message and by tone for one press", () => {
    const { clock, keypad, digits } = setUp();
    keypad.press("5", "message");
    clock.advance(120);
    keypad.press("5", "tone");
    clock.advance(600);
    keypad.press("5", "tone");
    expect(digits).toEqual(["5", "5"]);
  });
});
