import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unspokenPart } from "./spoken-part.ts";
import { isSpeakable, splitText } from "./text.ts";

describe("splitting a long text", () => {
  it.each([
    ["One two. Three four five.", 20, ["One two.", "Three four five."]],
    ["One two, three four", 12, ["One two,", "three four"]],
    ["One two three", 8, ["One two", "three"]],
    ["一二三四。五六七八", 6, ["一二三四。", "五六七八"]],
    ["Abcdefghij", 4, ["Abcd", "efgh", "ij"]],
    ["Yes. ... ", 6, ["Yes."]],
    ["ab😀cd", 3, ["ab", "😀c", "d"]],
  ])("%s at %i", (text, maxChars, pieces) => {
    expect(splitText(text, maxChars)).toEqual(pieces);
  });

  it("loses no letter and makes no piece too long", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme-composite", maxLength: 200 }),
        fc.integer({ min: 2, max: 40 }),
        (text, max) => {
          const pieces = splitText(text, max);
          for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(max);
          const letters = (words: string): string => words.replace(/[\s\p{P}\p{S}]/gu, "");
          expect(letters(pieces.join(""))).toBe(letters(text));
        },
      ),
    );
  });

  it("knows what no voice can say", () => {
    expect(["", " ", "...", "—", "!?"].some(isSpeakable)).toBe(false);
    expect(["a", "7", "好", "नमस्ते"].every(isSpeakable)).toBe(true);
  });
});

describe("the unspoken part of a clause", () => {
  const text = "please hold the line for me";
  it.each([
    [0, text],
    [200, text],
    [700, "hold the line for me"],
    [1_200, "the line for me"],
    [2_600, "me"],
    [2_750, ""],
    [9_000, ""],
  ])("after %i ms of 100 ms a letter", (ms, rest) => {
    expect(unspokenPart(text, ms * 16, 100)).toBe(rest);
  });

  it("is always the text's end from the beginning of a word on", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 12 }), fc.nat(200_000), (words, samples) => {
        const rest = unspokenPart(words, samples, 65);
        expect(words.endsWith(rest)).toBe(true);
        if (rest !== "" && rest !== words) expect(words.at(-rest.length - 1)).toBe(" ");
      }),
    );
  });
});
