import type { Tables } from "@parley/control-api/database/tables.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { LARGE_ORG } from "./fill-calls.ts";

/** The base that is filled. */
export const LARGE_BASE = "kb_large";

/** Ranks of the words used: the first ones of a language are its stop words, which are not searched. */
const RANKS = { first: 50, last: 20_000 };
/** As many as a part of a thousand characters has, without stop words. */
export const WORDS_OF_PART = 120;
const WORDS_OF_QUESTION = 8;
const WORDS_OF_NEAR_QUESTION = 12;
const WORDS_OF_SUBJECT = 40;
/** Documents that questions are about: the smallest base that is filled has as many. */
const DOCUMENTS_ASKED = 200;
export const PARTS_OF_DOCUMENT = 50;
const BATCH = 1_000;
const AT = new Date("2026-01-01T00:00:00Z");
/** Of a pseudo-random sequence (Numerical Recipes): every run fills the same. */
const [FACTOR, STEP, MODULUS] = [1_664_525, 1_013_904_223, 2 ** 32];

/** Numbers from 0 to 1, the same for each seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * FACTOR + STEP) % MODULUS;
    return state / MODULUS;
  };
}

/** A word as often as in texts of people: the nth word is n times rarer than the first one (Zipf). */
function wordOf(random: () => number): string {
  const { first, last } = RANKS;
  return `word${Math.floor(first * (last / first) ** random())}`;
}

/** Questions of eight words, of which some are frequent and some rare; half of them are of the subject of a document. */
export function questionsOf(count: number): string[] {
  const random = randomFrom(7);
  return Array.from({ length: count }, () => {
    const subject = subjectOf(Math.floor(random() * DOCUMENTS_ASKED));
    return wordsFrom(random, { count: WORDS_OF_QUESTION, subject });
  });
}

/** Questions of twelve words of one document's subject: nearer to its parts than to others, as with a model that understands. */
export function nearQuestionsOf(count: number): string[] {
  return Array.from({ length: count }, (_, document) =>
    subjectOf(document).slice(0, WORDS_OF_NEAR_QUESTION).join(" "),
  );
}

/** The words of what a document is about: its parts are nearer to each other than to those of others, as in real ones. */
function subjectOf(document: number): readonly string[] {
  const random = randomFrom(1_000 + document);
  return Array.from({ length: WORDS_OF_SUBJECT }, () => wordOf(random));
}

function wordsFrom(
  random: () => number,
  { count, subject }: { readonly count: number; readonly subject: readonly string[] },
): string {
  const one = (): string => {
    const own = subject[Math.floor(random() * 2 * subject.length)];
    return own ?? wordOf(random);
  };
  return Array.from({ length: count }, one).join(" ");
}

function documentOf(part: number): number {
  return Math.floor(part / PARTS_OF_DOCUMENT);
}

const LARGE_PART = { language: "en", baseId: LARGE_BASE } as const;

type WordsOf = (
  base: typeof LARGE_PART,
  part: { readonly heading: string; readonly text: string },
) => RawBuilder<string>;

interface Filling {
  readonly parts: number;
  readonly wordsOfPart: number;
  /** What a part is found by; the knowledge district knows. */
  readonly wordsOf: WordsOf;
  readonly say: (line: string) => void;
}

/** Fills a base of the large organization with that many parts. */
export async function fillParts(
  db: Kysely<Tables>,
  { parts, wordsOfPart, wordsOf, say }: Filling,
): Promise<void> {
  await sql`insert into organizations (id, name, created_at) values (${LARGE_ORG}, ${LARGE_ORG}, ${AT})
    on conflict do nothing`.execute(db);
  const base = { id: LARGE_BASE, org_id: LARGE_ORG, name: "Large", description: "", language: "en" } as const;
  await db
    .insertInto("knowledge_bases")
    .values({ ...base, parts, created_at: AT, updated_at: AT })
    .execute();
  await sql`insert into knowledge_documents (id, base_id, org_id, name, is_named, source, state, parts, created_at)
    select 'doc_' || n, ${LARGE_BASE}, ${LARGE_ORG}, 'Document ' || n, true, 'text', 'ready', ${PARTS_OF_DOCUMENT}::int, ${AT}
    from generate_series(0, ${Math.ceil(parts / PARTS_OF_DOCUMENT) - 1}::int) n`.execute(db);
  const random = randomFrom(1);
  for (let from = 0; from < parts; from += BATCH) {
    const count = Math.min(BATCH, parts - from);
    const texts = Array.from({ length: count }, (_, i) =>
      wordsFrom(random, { count: wordsOfPart, subject: subjectOf(documentOf(from + i)) }),
    );
    await insertParts(db, { from, texts, wordsOf });
    if ((from / BATCH) % 20 === 19) say(`${from + BATCH} of ${parts} parts`);
  }
  await sql`insert into knowledge_terms (base_id, term, parts)
    select base_id, word.lexeme, count(*) from knowledge_parts, unnest(words) as word
    where base_id = ${LARGE_BASE} group by 1, 2`.execute(db);
  // What a table's owner does at night: entries that wait in the index are read one by one otherwise.
  await sql`vacuum analyze knowledge_parts`.execute(db);
  await sql`analyze knowledge_terms, knowledge_bases, knowledge_documents`.execute(db);
}

async function insertParts(
  db: Kysely<Tables>,
  { from, texts, wordsOf }: { from: number; texts: readonly string[]; wordsOf: WordsOf },
): Promise<void> {
  const rows = texts.map((text, i) => ({
    document_id: `doc_${documentOf(from + i)}`,
    seq: (from + i) % PARTS_OF_DOCUMENT,
    base_id: LARGE_BASE,
    heading: "",
    text,
    words: wordsOf(LARGE_PART, { heading: "", text }),
  }));
  await db.insertInto("knowledge_parts").values(rows).execute();
}
