import { describe, expect, it } from "vitest";
import { emailIn, phoneIn } from "./addresses.ts";

describe("an answer that is made to be slow is not", () => {
  it.each([" ", "a ", "a", ".", "a@ ", "dot "])("looked through for an e-mail address: many %j", (piece) => {
    expect(emailIn(`${piece.repeat(400_000)} none`)).toBeUndefined();
  });

  it.each([" ", ".", "-", ", ", "a "])("looked through for a phone number: many %j", (piece) => {
    expect(phoneIn(piece.repeat(400_000))).toBeUndefined();
  });
});

describe("a phone number", () => {
  it.each([
    ["+49 30 1234567", "+49301234567"],
    ["It is +49 30 1234567.", "+49301234567"],
    ["plus four nine three zero one two three four", "+49301234"],
    ["030 1234567", "0301234567"],
    ["030 1234567 + 8", "03012345678"],
  ])("is international by its first sign, or by the word: %s", (text, number) => {
    expect(phoneIn(text)).toBe(number);
  });
});
