import type { KnowledgeLanguage } from "@parley/shared/contracts/knowledge.ts";
import { type RawBuilder, sql } from "kysely";

/** The text search configuration of a language, as Postgres names them. */
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

/** The stems of a text's words. */
export function stems(language: KnowledgeLanguage, text: RawBuilder<string> | string): RawBuilder<string> {
  return sql<string>`to_tsvector(${CONFIGURATIONS[language]}::regconfig, ${text})`;
}

/**
 * A word that every part of a base has and no text can hold. One index finds the parts of one base that have a word: it
 * never reads those of other organizations.
 */
export function baseWord(baseId: string): string {
  return `base:${baseId}`;
}

/** A stem as a query of the text search has it. */
export function quoted(stem: string): string {
  return `'${stem.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
