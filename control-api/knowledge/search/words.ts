import type { KnowledgeLanguage } from "@parley/shared/contracts/knowledge.ts";
import { type RawBuilder, sql } from "kysely";

/** Postgres text search configurations by language. */
const CONFIGURATIONS: Readonly<Record<KnowledgeLanguage, string>> = {
  en: "english",
  de: "german",
  fr: "french",
  es: "spanish",
  it: "italian",
  pt: "portuguese",
  nl: "dutch",
  da: "danish",
  sv: "swedish",
  nb: "norwegian",
  fi: "finnish",
  ru: "russian",
  tr: "turkish",
  hu: "hungarian",
  ro: "romanian",
  other: "simple",
};

/** The word stems of a text. */
export function stems(language: KnowledgeLanguage, text: RawBuilder<string> | string): RawBuilder<string> {
  return sql<string>`to_tsvector(${CONFIGURATIONS[language]}::regconfig, ${text})`;
}

/**
 * A word that every part of a base has and no text can contain. It lets one index find a base's parts with a word
 * without reading those of other organizations.
 */
export function baseWord(baseId: string): string {
  return `base:${baseId}`;
}

/** What a part of a base is found by: the stems of its heading and text, and the base. */
export function wordsOfPart(
  { language, baseId }: { readonly language: KnowledgeLanguage; readonly baseId: string },
  { heading, text }: { readonly heading: string; readonly text: string },
): RawBuilder<string> {
  return sql<string>`setweight(${stems(language, heading)}, 'A') || ${stems(language, text)}
    || array_to_tsvector(array[${baseWord(baseId)}])`;
}

/** A stem quoted for a tsquery. */
export function quoted(stem: string): string {
  return `'${stem.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
