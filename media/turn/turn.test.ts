import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBackchannel } from "./backchannel.ts";
import { endOfTurnDelayMs, isLikelyComplete } from "./end-of-turn.ts";
import { countWords } from "./words.ts";

const WAIT = { minMs: 300, maxMs: 1_100 };
const delay = (text: string, more: { hasFinal?: boolean; expect?: "digits" | "speech" } = {}) =>
  endOfTurnDelayMs({ text, hasFinal: true, ...WAIT, ...more });

const COMPLETE = [
  "I would like to book a table.",
  "Where are you?",
  "What is it for?",
  'She said "yes."',
  "Yes",
  "no thanks",
  "That's all",
  "what time do you open tomorrow",
  "can you help me",
  "I think so.",
  "Ja",
  "Wo ist der Bahnhof?",
  "nein danke",
  "sí",
  "no gracias",
  "D’accord",
  "जी हाँ",
  "मुझे टेबल चाहिए।",
  "我要订一张桌子。",
  "أين أنت؟",
  "I'd like two.",
  "It is 10.",
  "My e-mail is jane@mail.example.com.",
];
const UNFINISHED = [
  "I would like to book a table,",
  "I want to go to the",
  "I want to go to the.",
  "and",
  "Well, um",
  "what about",
  "because",
  "so I was thinking...",
  "I need it for…",
  "My number is",
  "five five five",
  "my number is 555",
  "my number is 555.",
  "call me at 0 1 5 5",
  "my email is john at gmail",
  "my email is john at gmail dot",
  "it is john@gmail",
  "it is s m i t",
  "ich möchte einen Termin und",
  "weil",
  "quiero una mesa para",
  "je voudrais une table pour",
  "मुझे एक टेबल चाहिए और",
];
const UNSURE = [
  "I would like to book a table",
  "my name is Jane Smith",
  "two people tomorrow",
  "我要订一张桌子",
];

describe("the end of a turn", () => {
  it.each(COMPLETE)("comes soon after: %s", (text) => {
    expect(delay(text)).toBe(300);
    expect(isLikelyComplete(text)).toBe(true);
  });

  it.each(UNFINISHED)("is waited for after: %s", (text) => {
    expect(delay(text)).toBe(1_100);
    expect(isLikelyComplete(text)).toBe(false);
  });

  it.each(UNSURE)("is neither near nor far after: %s", (text) => {
    expect(delay(text)).toBe(700);
    expect(isLikelyComplete(text)).toBe(false);
  });

  it("is waited for while nothing was recognised", () => {
    expect(delay("")).toBe(1_100);
    expect(delay(" ... ")).toBe(1_100);
  });

  it("does not come soon while the text may still change", () => {
    expect(delay("yes", { hasFinal: false })).toBe(700);
    expect(delay("and", { hasFinal: false })).toBe(1_100);
  });

  it.each([
    ["", 1_100],
    ["yes", 1_100],
    ["It is four two.", 1_100],
    ["555 12", 1_100],
    ["555 123 4567.", 700],
    ["one two three four five six seven", 700],
  ])("takes its time for digits: %j waits %i ms", (text, delayMs) => {
    expect(delay(text, { expect: "digits" })).toBe(delayMs);
  });

  it("stays between its limits for any text", () => {
    const input = fc.record({
      text: fc.string({ unit: "grapheme", maxLength: 80 }),
      hasFinal: fc.boolean(),
      expect: fc.constantFrom("digits" as const, "speech" as const),
    });
    fc.assert(
      fc.property(
        input,
        fc.integer({ min: 0, max: 500 }),
        fc.integer({ min: 0, max: 3_000 }),
        (turn, minMs, spanMs) => {
          const delayMs = endOfTurnDelayMs({ ...turn, minMs, maxMs: minMs + spanMs });
          expect(delayMs).toBeGreaterThanOrEqual(minMs);
          expect(delayMs).toBeLessThanOrEqual(minMs + spanMs);
        },
      ),
    );
  });
});

describe("a backchannel", () => {
  it.each([
    "uh-huh",
    "Uh huh.",
    "mm",
    "Mm-hmm",
    "okay",
    "Okay, okay.",
    "Right.",
    "I see",
    "yeah, right",
    "genau",
    "vale",
    "d’accord",
    "अच्छा",
  ])("is %s", (text) => {
    expect(isBackchannel(text)).toBe(true);
  });

  it.each([
    "",
    "no",
    "yes",
    "ja",
    "stop",
    "okay stop",
    "right, but what about me",
    "okay okay okay okay",
    "wait",
  ])("is not %j", (text) => {
    expect(isBackchannel(text)).toBe(false);
  });
});

describe("counting words", () => {
  it.each([
    ["", 0],
    ["  ?! ", 0],
    ["Hello there, how are you?", 5],
    ["don't stop", 2],
    ["it's 3.14", 2],
    ["今天天气怎么样", 4],
    ["こんにちは世界", 2],
    ["आप कैसे हैं?", 3],
  ])("finds in %j %i", (text, words) => {
    expect(countWords(text)).toBe(words);
  });
});
