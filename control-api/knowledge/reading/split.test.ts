import fc from "fast-check";
import { expect, it } from "vitest";
import { splitMarkdown } from "./split.ts";

it("parts stand under their headings, and none reaches across one", () => {
  expect(
    splitMarkdown(
      "Intro.\n\n# Returns\n\nThirty days.\n\n## Shoes\n\n- Unworn\n- In the box\n\n# Prices\n\nTen.",
    ),
  ).toEqual([
    { heading: "", text: "Intro." },
    { heading: "Returns", text: "Thirty days." },
    { heading: "Returns › Shoes", text: "- Unworn\n- In the box" },
    { heading: "Prices", text: "Ten." },
  ]);
});

it("a long section is split between its paragraphs, a long paragraph between its sentences", () => {
  const paragraph = "Parcels take two days. ".repeat(30).trim();
  const parts = splitMarkdown(`# Delivery\n\n${[paragraph, paragraph].join("\n\n")}`);
  expect(parts.map(({ text }) => text)).toEqual([paragraph, paragraph]);
  const long = splitMarkdown("Parcels take two days. ".repeat(100));
  expect(long.length).toBe(3);
  expect(long.every(({ text }) => text.endsWith("days."))).toBe(true);
});

it("a sentence without an end is split between words", () => {
  const parts = splitMarkdown("word ".repeat(1_000));
  expect(parts.every(({ text }) => text.length <= 1_600 && /^(word ?)+$/.test(text))).toBe(true);
});

it("no word of any text is lost, and no part is too long", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 800 }), (words) => {
      const parts = splitMarkdown(words.join(" "));
      expect(parts.flatMap(({ text }) => text.split(/\s+/))).toEqual(words);
      expect(parts.every(({ text }) => text.length <= 1_600)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
