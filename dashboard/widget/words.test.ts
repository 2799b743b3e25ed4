import { expect, test } from "vitest";
import { wordsFor } from "./words.ts";

const none = (): undefined => undefined;

test.each(["en", "de", "fr", "es", "it", "nl", "pt"])("%s has every text, and each of its own", (lang) => {
  const { words } = wordsFor([lang], none);
  expect(Object.values(words).filter((text) => text.trim() === "")).toEqual([]);
  const english = wordsFor(["en"], none).words;
  expect(Object.keys(words)).toEqual(Object.keys(english));
  // A sentence that is the same in two languages was forgotten.
  const same = Object.entries(english).filter(
    ([name, text]) => text.includes(" ") && words[name as keyof typeof words] === text,
  );
  expect(same.length).toBe(lang === "en" ? Object.values(english).filter((t) => t.includes(" ")).length : 0);
});

test.each([
  [["de-CH", "fr"], "de-CH"],
  [[undefined, "", "PT"], "PT"],
  [["pl", "constructor", "nl"], "nl"],
  [["pl"], "en"],
])("of %j it is %s", (wanted, lang) => {
  expect(wordsFor(wanted, none).lang).toBe(lang);
});

test("a text of the page's takes the place of ours, unless it is empty", () => {
  const { words } = wordsFor(["de"], (name) => ({ send: "Ab damit", edit: "" })[name as string]);
  expect([words.send, words.edit, words.retry]).toEqual(["Ab damit", "Bearbeiten", "Erneut versuchen"]);
});
