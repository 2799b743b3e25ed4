import { createHash } from "node:crypto";
import type { Tables } from "@parley/control-api/database/tables.ts";
import { type Kysely, sql } from "kysely";

/** Percentage of calls in the large organization; small ones share the rest. */
const LARGE_SHARE = 65;
const BATCH = 20_000;
const DAY_SECS = 86_400;
/** How many days ago the first call was. */
const DAYS = 365;
const LEXICON = 2_000;
const WORD_CHARS = 7;

export const LARGE_ORG = "org_large";
/** The large organization's calls all start at `FIRST_CALL_AT` or later. */
export const FIRST_CALL_AT = new Date("2025-01-01T00:00:00Z");
/** The agent of the oldest hundred calls, and one that was never called. */
export const RARE_AGENT = "agt_rare";
/** Topic of the oldest thousand calls, and of none since. */
export const OLD_TOPIC = "last winter";
const AGENTS = 20;

export interface FillOptions {
  readonly calls: number;
  readonly smallOrgs: number;
  readonly say: (line: string) => void;
  /** Numbers of calls, the last one not included. */
  readonly part?: { readonly from: number; readonly to: number };
}

/**
 * Fills a migrated database with a year of calls of one large and several small organizations: each with
 * three messages of ten words, some frequent and most rare, and a recording. `say` receives progress. With a `part`, fills
 * these of the calls only.
 */
export async function fillCalls(
  db: Kysely<Tables>,
  { calls, smallOrgs, say, part = { from: 0, to: calls } }: FillOptions,
): Promise<void> {
  const at = FIRST_CALL_AT;
  await sql`insert into organizations (id, name, created_at)
    select id, id, ${at} from (select ${LARGE_ORG} as id union all
      select 'org_small' || n from generate_series(0, ${smallOrgs - 1}::int) n) o on conflict do nothing`.execute(
    db,
  );
  for (let from = part.from; from < part.to; from += BATCH) {
    const to = Math.min(part.to, from + BATCH) - 1;
    await fillBatch(db, { from, to, calls, smallOrgs });
    say(`${to + 1} of ${calls} calls`);
  }
  await sql`analyze`.execute(db);
}

async function fillBatch(
  db: Kysely<Tables>,
  { from, to, calls, smallOrgs }: { from: number; to: number; calls: number; smallOrgs: number },
): Promise<void> {
  const secondsEach = (DAYS * DAY_SECS) / calls;
  const series = sql`(select n, ${FIRST_CALL_AT}::timestamptz + n * ${secondsEach}::float8 * interval '1 second' as at,
    lpad(to_hex((extract(epoch from ${FIRST_CALL_AT}::timestamptz) * 1000 + n * ${secondsEach}::float8 * 1000)::bigint), 12, '0')
      || md5(n::text) as tail
    from generate_series(${from}::int, ${to}::int) n) one`;
  await sql`insert into calls (id, session_id, org_id, agent_id, user_id, variables, node_id, channel, direction,
      from_number, to_number, status, created_at, started_at, ended_at, duration_secs)
    select 'cal_' || tail, 'ses_' || tail,
      case when n % 100 < ${LARGE_SHARE} then ${LARGE_ORG} else 'org_small' || n % ${smallOrgs}::int end,
      case when n < 100 then ${RARE_AGENT} else 'agt_' || n % ${AGENTS}::int end, 'usr_' || n % 50, '{}', 'nod_1',
      case when n % 3 = 0 then 'web_chat' else 'phone' end, case when n % 3 = 0 then 'web' else 'inbound' end,
      '+1202555' || lpad((n::bigint * 7919 % 10000)::text, 4, '0'), '+1415' || lpad((n::bigint * 104729 % 10000000)::text, 7, '0'),
      'completed', at, at, at + interval '65 seconds', 65
    from ${series}`.execute(db);
  await sql`insert into call_messages (event_id, session_id, org_id, seq, turn, role, text, interrupted, source, at)
    select 'evt_' || tail || m, 'ses_' || tail,
      case when n % 100 < ${LARGE_SHARE} then ${LARGE_ORG} else 'org_small' || n % ${smallOrgs}::int end,
      m, m, case when m % 2 = 0 then 'user' else 'assistant' end,
      (select string_agg(word, ' ') from (select substr(md5((floor(power(random() * (n * 0 + m + 1) / (m + 1), 3)
        * ${LEXICON}::int))::int::text), 1, ${WORD_CHARS}) as word from generate_series(1, 9) w) words) || ' order ' || n,
      false, 'speech', at
    from ${series}, generate_series(0, 2) m`.execute(db);
  await sql`insert into call_words (org_id, measure, value, created_at, call_id)
    select case when n % 100 < ${LARGE_SHARE} then ${LARGE_ORG} else 'org_small' || n % ${smallOrgs}::int end,
      measure, value, at, 'cal_' || tail
    from ${series}, lateral (values ('end_reason', 'hangup'), ('sentiment', (array['positive', 'neutral', 'negative'])[1 + n % 3]),
      ('disposition', 'outcome ' || n % 15), ('topic', case when n < 1000 then ${OLD_TOPIC} else 'topic ' || n % 300 end),
      ('tool', 'tool ' || n % 12)) words (measure, value)`.execute(db);
  await sql`insert into recordings (id, session_id, org_id, key, duration_ms, size_bytes, created_at)
    select 'rec_' || tail, 'ses_' || tail,
      case when n % 100 < ${LARGE_SHARE} then ${LARGE_ORG} else 'org_small' || n % ${smallOrgs}::int end,
      tail, 65000, 4000000, at
    from ${series}`.execute(db);
}

/** Word by frequency: `rank` 0 is in most messages, later ones in fewer and fewer, up to 1,999. */
export function wordOf(rank: number): string {
  return createHash("md5").update(String(rank)).digest("hex").slice(0, WORD_CHARS);
}
