import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../../database/open.ts";
import type { Tables } from "../../../database/tables.ts";
import { joinRanks } from "../../../knowledge/search/join-ranks.ts";
import type { Vectors } from "../../../knowledge/vectors/open-vectors.ts";
import { scanNearest } from "../../../knowledge/vectors/scan-nearest.ts";
import { type ListRequest, readRecords, type StoredRecord } from "../list.ts";
import { type FoundRecord, searchByWords } from "./by-words.ts";
import { nearestRecords } from "./vector-store.ts";

/** As many as the index looks at. */
const NEAREST = 100;

/** Searching by meaning, where an embeddings service is configured. */
export type RecordVectors = Pick<Vectors, "service" | "space" | "questions" | "support">;

export interface SearchDeps {
  readonly database: Database;
  readonly log: Logger;
  readonly vectors: RecordVectors | undefined;
}

interface WordSearch extends ListRequest {
  /** What a person would say or type. */
  readonly search: string;
}

export interface SearchRequest extends WordSearch {
  readonly orgId: string;
}

/**
 * Finds records by their words and, beside an embeddings service, by what they mean, joined by reciprocal rank. Best
 * first; an order sorts those that were found.
 */
export async function searchRecords(request: SearchRequest, deps: SearchDeps): Promise<StoredRecord[]> {
  const { db } = deps.database;
  const [byWords, byMeaning] = await Promise.all([
    searchByWords(db, request),
    searchByMeaning(request, deps),
  ]);
  const ranked = byMeaning.length === 0 ? byWords : joined(byWords, byMeaning).slice(0, request.limit);
  return readRecords(db, seqsOf(ranked), request.order);
}

/** Finds records by their words alone. */
export async function foundByWords(db: Kysely<Tables>, request: WordSearch): Promise<StoredRecord[]> {
  return readRecords(db, seqsOf(await searchByWords(db, request)), request.order);
}

const seqsOf = (found: readonly FoundRecord[]): string[] => found.map(({ seq }) => seq);

/** Never throws: without vectors, words are searched alone. */
async function searchByMeaning(
  { orgId, search, ...searched }: SearchRequest,
  { database, vectors, log }: SearchDeps,
): Promise<FoundRecord[]> {
  if (!vectors) return [];
  try {
    if (!(await vectors.support.state()).isReady) return [];
    const vector = await vectors.questions.of({ orgId, text: search, channel: "app" });
    if (!vector) return [];
    const { minSimilarity } = vectors.service;
    const limit = Math.min(searched.limit, NEAREST);
    const nearest = { ...searched, limit, vector, minSimilarity, space: vectors.space };
    return await scanNearest(database, (db) => nearestRecords(db, nearest));
  } catch (error) {
    log.warn(
      { event: "record_search_failed", orgId, err: messageOf(error) },
      "failed to search records by meaning, searched by words alone",
    );
    return [];
  }
}

function joined(...lists: readonly FoundRecord[][]): FoundRecord[] {
  const ranked = joinRanks(lists, {
    keyOf: ({ seq }) => seq,
    // A record with one word of many is no good answer, though it may be the best that words find.
    weightOf: ({ share }) => share ** 2,
  });
  return ranked.map(({ entry }) => entry);
}
