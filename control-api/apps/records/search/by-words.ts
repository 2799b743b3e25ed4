import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "../../../database/tables.ts";
import { quoted } from "../../../knowledge/search/words.ts";
import { allHold, type Condition } from "../conditions.ts";
import { type Driver, drivenBy, selectiveCondition } from "../list.ts";
import { stemsOf, storeWord } from "./words.ts";

type Db = Kysely<Tables>;

/** What is searched: the records of one type of an app in an organization. */
export interface SearchedRecords {
  readonly storeId: number;
  readonly conditions: readonly Condition[];
  readonly search: string;
  readonly limit: number;
}

/** A record that was found. */
export interface FoundRecord {
  readonly seq: string;
  /** How much of what was searched for it has, from 0 to 1, as its way of searching knows. */
  readonly share: number;
}

/** Longer texts are searched by their longest words, which are mostly the rare ones. */
const MAX_STEMS = 8;
/** Records that are read for each word. A word of more records says little, and is taken to be in half of all. */
const MAX_HITS = 1_000;
/** Records whose words are counted. */
const CANDIDATES = 1_000;

/** The records that have any of a text's words, best first: rare words weigh more, and all of them most. */
export async function searchByWords(db: Db, searched: SearchedRecords): Promise<FoundRecord[]> {
  const stems = await stemsIn(db, searched.search);
  if (stems.length === 0) return [];
  const driver = await selectiveCondition(db, searched);
  const anyOf = stems.map(quoted).join(" | ");
  const { rows } = await sql<FoundRecord>`
    with hits as materialized (${hitsOf(searched, { stems, driver })}),
    weights as (
      select asked.term, ln(1 + (store.records - counted.records + 0.5) / (counted.records + 0.5)) as weight
      from generate_series(1, ${stems.length}::integer) as asked (term)
      cross join (select greatest(records, 1)::float8 as records from app_stores where id = ${searched.storeId}) as store
      cross join lateral (
        select case when count(distinct seq) > ${MAX_HITS} then store.records / 2 else least(count(distinct seq), store.records) end as records
        from hits where hits.term = asked.term) as counted),
    best as (
      select seq, sum(weight) / (select sum(weight) from weights) as share
      from (select distinct term, seq from hits) as hit join weights using (term)
      group by seq order by 2 desc, 1 desc limit ${CANDIDATES})
    select best.seq, least(1, best.share) as share from best join app_records r on r.seq = best.seq
    order by best.share desc, ts_rank(r.words, ${anyOf}::text::tsquery) desc, best.seq desc limit ${searched.limit}`.execute(
    db,
  );
  return rows;
}

/**
 * Which records have which of the words: some for each, and those that have all of them, however frequent each is. Each
 * is planned apart from its limit, for which the planner would read all records until it has enough.
 */
function hitsOf(
  searched: SearchedRecords,
  { stems, driver }: { readonly stems: readonly string[]; readonly driver: Driver | undefined },
): RawBuilder<unknown> {
  const { storeId, conditions } = searched;
  const from = driver
    ? drivenBy(driver, searched)
    : sql`from app_records r where r.store_id = ${storeId} ${allHold(conditions)}`;
  const having = (words: string) => sql`(with found as materialized (
      select r.seq ${from} and r.words @@ ${`${words} & ${storeWord(storeId)}`}::text::tsquery)
    select seq from found limit ${MAX_HITS + 1})`;
  const each = stems.map(
    (stem, i) => sql`select ${i + 1}::integer as term, seq from ${having(quoted(stem))} as having_one`,
  );
  if (stems.length === 1) return sql.join(each);
  const all = sql`select asked.term, seq from ${having(stems.map(quoted).join(" & "))} as having_all
    cross join generate_series(1, ${stems.length}::integer) as asked (term)`;
  return sql.join([...each, all], sql` union all `);
}

async function stemsIn(db: Db, search: string): Promise<string[]> {
  const { rows } = await sql<{ stem: string }>`
    select stem from unnest(tsvector_to_array(${stemsOf(search)})) as asked (stem)
    order by length(stem) desc, stem limit ${MAX_STEMS}`.execute(db);
  return rows.map(({ stem }) => stem);
}
