import { type KnownLanguage, tellingWords } from "../phrases.ts";
import { wordsOf } from "../words.ts";
import type { Reader } from "./features.ts";

const TELLING = [...tellingWords()];

/**
 * Which weights read `text`: those of the language most of its small words belong to, of the setting's language where they
 * tell none. The setting may be wrong: an app that recognises itself sends what its user speaks.
 */
export function languageOf(text: string, setting?: string): Reader {
  const words = wordsOf(text);
  const hint = setting?.toLowerCase().split(/[-_]/u)[0];
  let best: { readonly language: KnownLanguage; readonly votes: number } | undefined;
  for (const [language, telling] of TELLING) {
    const found = words.filter((word) => telling.has(word)).length;
    // A half more for the language that was to be expected.
    const votes = found === 0 ? 0 : found + (language === hint ? 0.5 : 0);
    if (votes > (best?.votes ?? 0)) best = { language, votes };
  }
  const language = best?.language ?? TELLING.find(([known]) => known === hint)?.[0];
  if (language === undefined) return "any";
  return language === "en" ? "en" : "lists";
}
