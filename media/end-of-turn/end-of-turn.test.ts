import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBackchannel } from "./backchannel.ts";
import { endOfTurnDelayMs, finishedSoFar, isLikelyFinished } from "./end-of-turn.ts";
import { countWords } from "./words.ts";

const LIMITS = { minMs: 350, maxMs: 2_500 };
const delay = (
  text: string,
  more: { isSettled?: boolean; expect?: "digits" | "speech"; language?: string } = {},
): number => {
  const { isSettled = true, expect = "speech", language = "en" } = more;
  return endOfTurnDelayMs({ finished: finishedSoFar({ text, expect, language }), isSettled }, LIMITS);
};

const FINISHED = [
  "I would like to book a table.",
  "I would like to book a table for two people",
  "Where are you?",
  "What is it for?",
  "Yes",
  "no thanks",
  "That's all",
  "what time do you open tomorrow",
  "can you help me",
  "I think so.",
  "my name is Jane Smith",
  "two people tomorrow",
  "Ja",
  "Wo ist der Bahnhof?",
  "nein danke",
  "no gracias",
  "grazie mille",
  "D’accord",
  "मुझे टेबल चाहिए।",
  "أين أنت؟",
  "My e-mail is jane@mail.example.com.",
  "my number is five five five one two three four five six seven",
];
const UNFINISHED = [
  "I would like to book a table,",
  "I would like to book a table for",
  "I want to go to the",
  "I want to go to the.",
  "and",
  "Well, um",
  "what about",
  "because",
  "so I was thinking...",
  "so I was thinking that um",
  "I need it for…",
  "My number is",
  "five five five",
  "my number is 555",
  "my number is 555.",
  "my number is 555 123",
  "call me at 0 1 5 5",
  "my email is john at gmail",
  "my email is john at gmail dot",
  "it is john@gmail",
  "ich möchte einen Termin und",
  "weil",
  "quiero una mesa para",
  "je voudrais une table pour",
  "vorrei un tavolo per",
  "मुझे एक टेबल चाहिए और",
];

/** Written before the rules were, as the phrases held out were before the weights. */
const WHOLE_NUMBERS = [
  "the last four digits are 4 2 4 2",
  "the last four are seven seven one nine",
  "my pin is 1234",
  "the pin is four four zero one",
  "my zip code is 90210",
  "zip code nine zero two one zero",
  "The number on the back of the card is seven four nine two.",
  "it's a four digit code three three one zero",
  "at 7:30",
  "can we say 7:30",
  "at seven thirty",
  "tomorrow at half past seven",
  "at quarter past nine",
  "I was born on the fourth of July 1976",
  "born on 12/04/1976",
  "in 1987",
  "that is $42.50",
  "the amount was €1,250",
  "it cost 30€",
  "it was forty two dollars",
  "my number is 555 123 4567",
  "am 3.4.2025",
  "um 19:30",
  "a las 7:30",
];
const HALF_NUMBERS = [
  "the last four digits are 4 2",
  "the last four digits are seven seven one",
  "my pin is 12",
  "my zip code is 902",
  "the security code is 3 3",
  "the six digit code is 3 3 1 9",
  "it is a five digit number four four two",
  "between 7:30",
  "between 7:30 and",
  "it costs $",
  "my card number is 4929",
  "my number is plus 49 30",
  "my order number is 1001",
  "my number is 2019",
];

describe("the end of a turn", () => {
  it.each(WHOLE_NUMBERS)("comes soon after a number that is whole: %s", (text) => {
    expect(delay(text)).toBeLessThan(700);
  });

  it.each(HALF_NUMBERS)("waits for the rest of a number: %s", (text) => {
    expect(delay(text)).toBeGreaterThan(2_100);
  });

  it.each(FINISHED)("comes soon after: %s", (text) => {
    expect(delay(text)).toBeLessThan(700);
    expect(isLikelyFinished(finishedSoFar({ text, language: "en" }))).toBe(true);
  });

  it.each(UNFINISHED)("waits out a pause of two seconds after: %s", (text) => {
    expect(delay(text)).toBeGreaterThan(2_100);
    expect(isLikelyFinished(finishedSoFar({ text, language: "en" }))).toBe(false);
  });

  it("is waited for while nothing was recognized", () => {
    expect(delay("")).toBe(2_500);
    expect(delay(" ... ")).toBe(2_500);
  });

  it("is not hurried in a language without known words", () => {
    expect(delay("我要订一张桌子", { language: "zh" })).toBeGreaterThan(1_000);
    expect(delay("хочу заказать", { language: "ru" })).toBeGreaterThan(1_000);
  });

  it("reads the words' language, not only the setting's", () => {
    expect(delay("ich möchte einen Tisch für zwei Personen und", { language: "en" })).toBe(2_500);
    expect(delay("I would like to book a table for two people", { language: "de" })).toBeLessThan(700);
  });

  it("does not come soon while the text may still change", () => {
    expect(delay("yes please", { isSettled: false })).toBe(725);
    expect(delay("and", { isSettled: false })).toBe(2_500);
  });

  it.each(["", "yes", "It is four two.", "555 12"])("waits for digits that were asked for: %j", (text) => {
    expect(delay(text, { expect: "digits" })).toBe(2_500);
  });

  it("takes its time for digits that may be all", () => {
    expect(delay("555 123 4", { expect: "digits" })).toBeGreaterThan(1_000);
    expect(delay("555 123 4567", { expect: "digits" })).toBeGreaterThan(400);
    expect(delay("555 123 4567", { expect: "digits" })).toBeLessThan(700);
  });

  it("is read from the last words of a text without end", () => {
    const endless = "and then i said that it was ".repeat(20_000);
    expect(finishedSoFar({ text: endless, language: "en" })).toBe(
      finishedSoFar({ text: endless.slice(-2_000), language: "en" }),
    );
  });
});

describe("the wait for the end", () => {
  const patience = fc.double({ min: -1, max: 1, noNaN: true });
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const limits = fc.record({
    minMs: fc.integer({ min: 0, max: 5_000 }),
    maxMs: fc.integer({ min: 100, max: 15_000 }),
  });

  it("stays between its floor and its ceiling, whatever was said", () => {
    const turn = fc.record({
      text: fc.string({ unit: "grapheme", maxLength: 80 }),
      expect: fc.constantFrom("digits" as const, "speech" as const),
      language: fc.constantFrom("en", "de-AT", "", "zh"),
    });
    fc.assert(
      fc.property(turn, fc.boolean(), patience, limits, (said, isSettled, patient, given) => {
        const heard = { finished: finishedSoFar(said), isSettled, patience: patient };
        const delayMs = endOfTurnDelayMs(heard, given);
        expect(delayMs).toBeGreaterThanOrEqual(given.minMs);
        expect(delayMs).toBeLessThanOrEqual(Math.max(given.minMs, given.maxMs));
      }),
    );
  });

  it("never grows as the words sound more finished, nor shrinks as the caller is more patient", () => {
    const pair = fc.tuple(share, patience);
    fc.assert(
      fc.property(pair, pair, limits, ([a, c], [b, d], given) => {
        const of = (finished: number, patient: number): number =>
          endOfTurnDelayMs({ finished, isSettled: true, patience: patient }, given);
        expect(of(Math.max(a, b), c)).toBeLessThanOrEqual(of(Math.min(a, b), c));
        expect(of(a, Math.max(c, d))).toBeGreaterThanOrEqual(of(a, Math.min(c, d)));
      }),
    );
  });

  it("is the floor itself for what is surely finished, and the ceiling for what is surely not", () => {
    expect(endOfTurnDelayMs({ finished: 1, isSettled: true }, LIMITS)).toBe(350);
    expect(endOfTurnDelayMs({ finished: 0, isSettled: true }, LIMITS)).toBe(2_500);
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
