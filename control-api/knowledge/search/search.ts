import type { KnowledgePassage } from "@parley/shared/contracts/knowledge.ts";
import { sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { MeaningSearch } from "./by-meaning.ts";
import { type FoundPart, type SearchedBase, searchByWords } from "./by-words.ts";
import { joinRanks } from "./join-ranks.ts";

/** What each way of searching may contribute, so that what both find can rise. */
const CANDIDATES = 30;

/** The bases to search. Bases of other organizations are skipped. */
export interface SearchedBases {
  readonly orgId: string;
  readonly baseIds: readonly string[];
}

/** A query, and where to search. */
export interface KnowledgeQuery extends SearchedBases {
  /** What `findBases` gives, where that was begun before. */
  readonly bases?: Promise<readonly SearchedBase[]> | undefined;
  readonly text: string;
  readonly limit: number;
}

/** Searches with what is configured. */
export type SearchKnowledge = (database: Database, query: KnowledgeQuery) => Promise<KnowledgePassage[]>;

/**
 * Searches by words and, with `meaning`, by what is meant; joined by reciprocal rank, in which words
 * weigh as much as they cover the question. The best passages across all bases come first; empty when nothing fits.
 */
export function searchesKnowledge(meaning?: Pick<MeaningSearch, "search">): SearchKnowledge {
  return async (database, { orgId, baseIds, bases: begun, text, limit }) => {
    const bases = await (begun ?? findBases(database, { orgId, baseIds }));
    if (bases.length === 0) return [];
    const ids = bases.map(({ id }) => id);
    const [byWords, byMeaning] = await Promise.all([
      Promise.all(bases.map((base) => searchByWords(database, base, { text, limit: CANDIDATES }))),
      meaning?.search(database, { orgId, baseIds: ids, text, limit: CANDIDATES }) ?? [],
    ]);
    const words = byWords.flat().sort((a, b) => b.score - a.score);
    const found = byMeaning.length === 0 ? words : joined(words.slice(0, CANDIDATES), byMeaning);
    return found.slice(0, limit).map(({ seq: _seq, share: _share, ...passage }) => passage);
  };
}

/** The bases of this organization. Planned once, as callers wait for it. */
export async function findBases(
  { db }: Database,
  { orgId, baseIds }: SearchedBases,
): Promise<readonly SearchedBase[]> {
  const { rows } = await sql<SearchedBase>`
    -- prepared: knowledge-find-bases
    select id, language, parts from knowledge_bases
    where org_id = ${orgId} and id = any(${[...baseIds]}::text[])`.execute(db);
  return rows;
}

function joined(...lists: readonly FoundPart[][]): FoundPart[] {
  const ranked = joinRanks(lists, {
    keyOf: ({ documentId, seq }) => `${documentId} ${seq}`,
    // A part with one word of many is no good answer, though it may be the best that words find.
    weightOf: ({ share }) => share ** 2,
  });
  return ranked.map(({ entry, score }) => ({ ...entry, score }));
}
