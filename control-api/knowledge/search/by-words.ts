import type { KnowledgeLanguage, KnowledgePassage } from "@parley/shared/contracts/knowledge.ts";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import { baseWord, quoted, stems } from "./words.ts";

/** The rarest words of a query carry its meaning; words in half of all parts carry none. */
const MAX_TERMS = 8;
const COMMON_SHARE = 0.5;
/** The most that a word's frequency in a part adds, as a share of its weight. */
const OFTEN = 0.5;
/** What an occurrence in the heading adds, as a share of the word's weight. */
const IN_HEADING = 0.3;

/** Parts that are weighed by their terms, and parts that are ranked in full. */
const MAX_HITS = 1_000;
const CANDIDATES = 60;

interface Term {
  readonly stem: string;
  /** How many parts of the base have it. */
  readonly parts: number;
  /** Inverse document frequency: the fewer parts have the word, the higher. */
  readonly weight: number;
}

/** The words of a query, as a base knows them. */
interface Terms {
  /** Those that are looked for, rarest first. */
  readonly known: readonly Term[];
  /** The weight of those, and of all that the base lacks. */
  readonly weight: number;
}

/** A passage with its place in its document. */
export interface FoundPart extends KnowledgePassage {
  readonly seq: number;
  /** How much of what was asked it has, from 0 to 1, as its way of searching knows. */
  readonly share: number;
}

/** A base to search. */
export interface SearchedBase {
  readonly id: string;
  readonly language: KnowledgeLanguage;
  /** The number of searchable parts. */
  readonly parts: number;
}

/** The passages of a base that have the rarest words of a text, best first; empty when it knows none of them. */
export async function searchByWords(
  database: Database,
  base: SearchedBase,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<FoundPart[]> {
  const { known: terms, weight } = await termsOf(database, base, text);
  if (terms.length === 0) return [];
  // Each term uses a stored vector several times, so it is unpacked once: otherwise each use would unpack it again.
  const unpacked = sql<{ words: string }>`lateral (select part.words || ''::tsvector as words offset 0)`;
  const { rows } = await sql<Omit<FoundPart, "share">>`
    with hits as materialized (
      select document_id, seq from (${hitsOf(base, terms)}) as hit
      group by document_id, seq order by sum(weight) desc, document_id, seq limit ${CANDIDATES})
    select ${base.id} as "knowledgeBaseId", document.id as "documentId", document.name as document, document.url,
      part.seq, part.heading, part.text, ${scoreOf(terms)} as score
    from hits join knowledge_parts as part using (document_id, seq)
    cross join ${unpacked} as own
    join knowledge_documents as document on document.id = part.document_id
    order by score desc, part.document_id, part.seq limit ${limit}`.execute(database.db);
  return rows.map((row) => {
    const score = Number(row.score);
    return { ...row, score, share: Math.min(1, score / weight) };
  });
}

/**
 * Where the rarest terms occur, with their weights, read from the index without their texts. More frequent ones only
 * count where a rare one is, so that a search takes no longer in a large base.
 */
function hitsOf(base: SearchedBase, terms: readonly Term[]): RawBuilder<unknown> {
  const each = rarestOf(terms).map(({ stem, weight }) => {
    const query = `${quoted(baseWord(base.id))} & ${quoted(stem)}`;
    // Planned apart from the limit, for which the planner would read the table until it has enough.
    return sql`(with found as materialized (
        select document_id, seq from knowledge_parts where words @@ ${query}::tsquery)
      select document_id, seq, ${weight}::float8 as weight from found limit ${MAX_HITS})`;
  });
  return sql.join(each, sql` union all `);
}

/** The rarest terms that together occur in no more than `MAX_HITS` parts; at least one. */
function rarestOf(terms: readonly Term[]): readonly Term[] {
  let hits = 0;
  return terms.filter(({ parts }, i) => {
    hits += parts;
    return i === 0 || hits <= MAX_HITS;
  });
}

/** Sums the weights of a part's words; frequent words and those in its heading weigh more. */
function scoreOf(terms: readonly Term[]): RawBuilder<number> {
  const each = terms.map(({ stem, weight }) => {
    const one = quoted(stem);
    return sql`case when own.words @@ ${one}::tsquery then ${weight}::float8 * (1
      + ${OFTEN}::float8 * ts_rank(own.words, ${one}::tsquery, 1)
      + case when own.words @@ ${`${one}:A`}::tsquery then ${IN_HEADING}::float8 else 0 end) else 0 end`;
  });
  return sql<number>`(${sql.join(each, sql` + `)})`;
}

async function termsOf({ db }: Database, base: SearchedBase, text: string): Promise<Terms> {
  const { rows } = await sql<{ term: string; parts: number }>`
    -- prepared: knowledge-terms
    select asked.term, coalesce(counted.parts, 0) as parts
    from unnest(tsvector_to_array(${stems(base.language, text)})) as asked (term)
    left join knowledge_terms as counted on counted.base_id = ${base.id} and counted.term = asked.term
    order by 2, 1`.execute(db);
  const weighed = rows.map(({ term, parts }) => ({
    stem: term,
    parts,
    // The inverse document frequency of BM25.
    weight: Math.log(1 + (base.parts - parts + 0.5) / (parts + 0.5)),
  }));
  const occurring = weighed.filter(({ parts }) => parts > 0);
  const telling = occurring.filter(({ parts }) => parts <= Math.max(1, base.parts * COMMON_SHARE));
  const known = (telling.length > 0 ? telling : occurring).slice(0, MAX_TERMS);
  const lacking = weighed.filter(({ parts }) => parts <= 0);
  return { known, weight: [...known, ...lacking].reduce((sum, term) => sum + term.weight, 0) };
}
