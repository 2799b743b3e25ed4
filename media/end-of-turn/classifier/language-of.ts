import { type KnownLanguage, tellingWords } from "../phrases.ts";
import { wordsOf } from "../words.ts";
import type { Reader } from "./features.ts";

const TELLING = [...tellingWords()];

/**
 * Chooses the weights for `text`: those of the language that most of its function words belong to, or else of the
 * configured language. The setting may be wrong: an app with its own recognizer sends whatever its user speaks.
 */
export function languageOf(text: string, setting?: string): Reader {
  const words = wordsOf(text);
  const hint = setting?.toLowerCase().split(/[-_]/u)[0];
  let best: { readonly language: KnownLanguage; readonly votes: number } | undefined;
  for (const [language, telling] of TELLING) {
    const found = words.filter((word) => telling.has(word)).length;
    // The expected language gets half a vote more.
    const votes = found === 0 ? 0 : found + (language === hint ? 0.5 : 0);
    if (votes > (best?.votes ?? 0)) best = { language, votes };
  }
  const language = best?.language ?? TELLING.find(([known]) => known === hint)?.[0];
  if (language === undefined) return "any";
  return language === "en" ? "en" : "lists";
}
