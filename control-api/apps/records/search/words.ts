import { type RawBuilder, sql } from "kysely";
import { wordsOf } from "../values.ts";

/**
 * English stems: a plural finds its singular, and "the" finds nothing. Words of other languages are cut alike in records
 * and in what is searched for, so that they are found, too.
 */
const CONFIGURATION = sql.lit("english");

/** The stems of a text, each with where it stands. */
export function stemsOf(text: string): RawBuilder<string> {
  return sql<string>`to_tsvector(${CONFIGURATION}::regconfig, ${text})`;
}

/** What a record is found by: the stems of its texts, and its store. Null where its type is not searched. */
export function searchedWords(storeId: number, data: unknown): RawBuilder<string> | null {
  if (data === undefined) return null;
  return sql<string>`${stemsOf(wordsOf(data))} || ${`${storeWord(storeId)} ${STEMMED}`}::text::tsvector`;
}

/** In all records that have stems, and not in those with whole words, as the version before wrote them. No text has it. */
const STEMMED = "'¶'";

/** A word in all records of a store and nowhere else, so that the word index finds no other organization's. */
export function storeWord(storeId: number): string {
  return `'§${storeId}'`;
}
