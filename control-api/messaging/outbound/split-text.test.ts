import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.ts";

describe("a long answer", () => {
  it("stays one message while it fits", () => {
    expect(splitText("One. Two.", 9)).toEqual(["One. Two."]);
    expect(splitText("  ", 9)).toEqual([]);
  });

  it("is split at ends of sentences", () => {
    expect(splitText("One is here. Two is there! Three?", 26)).toEqual([
      "One is here. Two is there!",
      "Three?",
    ]);
    expect(splitText("He said “go.” Then he went.", 20)).toEqual(["He said “go.”", "Then he went."]);
    expect(splitText("First line\nsecond line", 14)).toEqual(["First line", "second line"]);
  });

  it("is split between words where a sentence is too long, and anywhere where a word is", () => {
    expect(splitText("never ending words", 12)).toEqual(["never ending", "words"]);
    expect(splitText("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
  });

  it("never cuts an emoji in two", () => {
    expect(splitText("ab😀😀", 3)).toEqual(["ab", "😀", "😀"]);
  });

  it("loses no word of an answer of any length", () => {
    const text = Array.from({ length: 3_000 }, (_, at) => `word${at}${at % 7 === 0 ? "." : ""}`).join(" ");
    const parts = splitText(text);
    expect(parts.join(" ")).toBe(text);
    expect(parts.every((part) => part.length <= 4_096)).toBe(true);
  });
});
