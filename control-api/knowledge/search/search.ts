import type { KnowledgeLanguage, KnowledgePassage } from "@parley/shared/contracts/knowledge.ts";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import { baseWord, quoted, stems } from "./words.ts";

/** The rarest words of a question tell what it is about; those in half of all parts tell nothing. */
const MAX_TERMS = 8;
const COMMON_SHARE = 0.5;
/** A word that comes often in a part counts for up to this much more than one that comes once. */
const OFTEN = 0.5;
/** Of a heading's words. */
const IN_HEADING = 0.3;

interface Term {
  readonly stem: string;
  /** How much finding it says: more, the fewer parts have it. */
  readonly weight: number;
}

/** What is looked for, and where. Bases of other organizations are passed over. */
export interface KnowledgeQuery {
  readonly orgId: string;
  readonly baseIds: readonly string[];
  readonly text: string;
  readonly limit: number;
}

/** The passages that fit a question best, over all bases; empty when no word of it is known. */
export async function searchKnowledge(
  database: Database,
  { orgId, baseIds, text, limit }: KnowledgeQuery,
): Promise<KnowledgePassage[]> {
  const bases = await database.db
    .selectFrom("knowledge_bases")
    .select(["id", "language", "parts"])
    .where("org_id", "=", orgId)
    .where("id", "in", [...baseIds])
    .execute();
  const found = await Promise.all(bases.map((base) => searchBase(database, base, { text, limit })));
  return found
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
}

interface Base {
  readonly id: string;
  readonly language: KnowledgeLanguage;
  /** That can be found. */
  readonly parts: number;
}

async function searchBase(
  database: Database,
  base: Base,
  { text, limit }: Pick<KnowledgeQuery, "text" | "limit">,
): Promise<KnowledgePassage[]> {
  const terms = await termsOf(database, base, text);
  if (terms.length === 0) return [];
  const any = terms.map(({ stem }) => quoted(stem)).join(" | ");
  const query = `${quoted(baseWord(base.id))} & (${any})`;
  const rows = await database.db
    .selectFrom("knowledge_parts as part")
    .innerJoin("knowledge_documents as document", "document.id", "part.document_id")
    .select(["document.id as documentId", "document.name as document", "document.url"])
    .select(["part.heading", "part.text", scoreOf(terms).as("score")])
    .where(sql<boolean>`part.words @@ ${query}::tsquery`)
    .orderBy("score", "desc")
    .orderBy("part.document_id")
    .orderBy("part.seq")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ knowledgeBaseId: base.id, ...row, score: Number(row.score) }));
}

/** A part's sum over the words that it has: rare ones count for more, and so do those that come often or in its heading. */
function scoreOf(terms: readonly Term[]): RawBuilder<number> {
  const each = terms.map(({ stem, weight }) => {
    const one = quoted(stem);
    return sql`case when part.words @@ ${one}::tsquery then ${weight}::float8 * (1
      + ${OFTEN}::float8 * ts_rank(part.words, ${one}::tsquery, 1)
      + case when part.words @@ ${`${one}:A`}::tsquery then ${IN_HEADING}::float8 else 0 end) else 0 end`;
  });
  return sql<number>`(${sql.join(each, sql` + `)})`;
}

/** The words of a question that a base has, the rarest first. */
async function termsOf({ db }: Database, base: Base, text: string): Promise<Term[]> {
  const { rows } = await sql<{ term: string; parts: number }>`
    select term, parts from knowledge_terms
    where base_id = ${base.id} and parts > 0
      and term = any(tsvector_to_array(${stems(base.language, text)}))
    order by parts, term`.execute(db);
  const telling = rows.filter(({ parts }) => parts <= Math.max(1, base.parts * COMMON_SHARE));
  return (telling.length > 0 ? telling : rows).slice(0, MAX_TERMS).map(({ term, parts }) => ({
    stem: term,
    // As BM25 weighs how rare a word is.
    weight: Math.log(1 + (base.parts - parts + 0.5) / (parts + 0.5)),
  }));
}
