import { type Target, targetOf } from "@parley/shared/net/guarded-post.ts";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "../database/open.ts";
import type { Tables } from "../database/tables.ts";
import type { Receiver } from "./in-flight.ts";

/** Destination of deliveries. An endpoint is immutable, so one read serves all its claimed deliveries. */
export interface Addressee extends Receiver {
  readonly url: string;
  /** The same, as requests name it. */
  readonly target: Target;
  readonly secretSealed: string;
}

/** The addressee that an endpoint's row names. */
export function addresseeOf(endpoint: {
  readonly id: string;
  readonly org_id: string;
  readonly url: string;
  readonly secret_sealed: string;
}): Addressee {
  const { id, org_id, url, secret_sealed } = endpoint;
  return addressee({ endpointId: id, orgId: org_id, url, secretSealed: secret_sealed });
}

function addressee<A extends Pick<Addressee, "url">>(row: A): A & Pick<Addressee, "host" | "target"> {
  const url = new URL(row.url);
  return { ...row, host: url.host, target: targetOf(url) };
}

/** An endpoint with unfinished deliveries, and whether one can be claimed now. */
export interface OwedEndpoint extends Addressee {
  readonly isDue: boolean;
}

/**
 * Endpoints with unfinished deliveries, by id, starting after `after`. Steps through the index from endpoint to
 * endpoint, however long their queues. Disabled endpoints keep their deliveries
 * (docs/webhooks.md#when-something-went-wrong).
 */
export async function findOwed(
  { db }: Database,
  { after, limit, at }: { after: string; limit: number; at: Date },
): Promise<OwedEndpoint[]> {
  const rows = await db.transaction().execute(async (trx) => {
    await goByIndex(trx);
    return readOwed(trx, { after, limit, at });
  });
  return rows.map(addressee);
}

async function readOwed(
  trx: Kysely<Tables>,
  { after, limit, at }: { after: string; limit: number; at: Date },
): Promise<Omit<OwedEndpoint, "host" | "target">[]> {
  const { rows } = await sql<Omit<OwedEndpoint, "host" | "target">>`
    -- prepared: webhooks-find-owed
    with recursive owed as (
      (select endpoint_id from webhook_deliveries where status in ('pending', 'failed') and endpoint_id > ${after}
        order by endpoint_id limit 1)
      union all
      select (select d.endpoint_id from webhook_deliveries d
        where d.status in ('pending', 'failed') and d.endpoint_id > owed.endpoint_id
        order by d.endpoint_id limit 1)
      from owed where owed.endpoint_id is not null
    ), held as materialized (
      select unnest(taken) as attempt from webhook_claims where leased_until > ${at}
    )
    select e.id as "endpointId", e.org_id as "orgId", e.url, e.secret_sealed as "secretSealed", e.enabled and e.listening_until is null and coalesce(due.is_due, false) as "isDue"
    from (select endpoint_id from owed where endpoint_id is not null limit ${limit}) page
    cross join lateral (select * from webhook_endpoints where id = page.endpoint_id limit 1) e
    left join lateral (
      select true as is_due from webhook_deliveries d
      where d.endpoint_id = e.id and d.status in ('pending', 'failed') and d.next_attempt_at <= ${at}
        and (d.leased_until is null or d.leased_until <= ${at})
        and (d.id || ':' || d.attempts) not in (select attempt from held)
      order by d.next_attempt_at limit 1
    ) due on true
    order by e.id`.execute(trx);
  return rows;
}

/** Advisory locks of endpoints whose deliveries are being claimed have two keys: this one and the hash of the id. */
const CLAIM_LOCKS = 47_110_138;
/** A process that vanishes in mid-transaction holds up nobody else's claims and results for longer. */
const IDLE_MS = 5_000;
/**
 * Statements here are planned once and kept, and a plan made while the table was empty would read all of it for as long as
 * it lives. So each is planned in a transaction that must take an index, whatever the session's settings, and looks up
 * the rows it needs one after the other (`limit`, `offset 0`), which leaves no other join to choose. The commit does not
 * wait for the disk, nor does that of results: what a crash of Postgres takes back is delivered twice.
 */
const BY_INDEX = sql`set_config('enable_seqscan', 'off', true), set_config('synchronous_commit', 'off', true),
  set_config('idle_in_transaction_session_timeout', ${String(IDLE_MS)}, true)`;

async function goByIndex(trx: Kysely<Tables>): Promise<void> {
  await sql`
    -- prepared: webhooks-by-index
    select ${BY_INDEX}`.execute(trx);
}

export interface Claim {
  readonly claimId: string;
  readonly at: Date;
  readonly leasedUntil: Date;
  /** How many deliveries to take, by endpoint id. */
  readonly places: Readonly<Record<string, number>>;
  /** Limit on the total size of bodies, in bytes; the first is always taken. */
  readonly maxBytes: number;
  /** Earlier claims that are over, to delete. */
  readonly over: readonly ClaimOf[];
}

/** What one claim took of one endpoint. */
export interface ClaimOf {
  readonly claimId: string;
  readonly endpointId: string;
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
}

export interface Claimed {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Endpoints that somebody else was claiming from at that moment. */
  readonly busy: ReadonlySet<string>;
  /** More was due, but its bodies did not fit. */
  readonly isCut: boolean;
}

/** Beyond its first eight deliveries, an endpoint gets so many bytes of bodies ahead: it may stop answering. */
const FIRST_FEW = 8;
const MAX_BYTES_AHEAD = 262_144;

/**
 * Claims due deliveries that nobody else holds. Writes nothing into their rows: one row says which attempts were taken of
 * an endpoint (docs/decisions/webhooks.md#claim-is-a-row-an-endpoint). Claims of one endpoint are made one after the other.
 */
export function claimDeliveries({ db }: Database, claim: Claim): Promise<Claimed> {
  const asked = Object.keys(claim.places);
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ endpointId: string }>`
      -- prepared: webhooks-lock-queues
      with by_index as materialized (select ${BY_INDEX})
      select asked.id as "endpointId" from by_index, json_array_elements_text(${JSON.stringify(asked)}::json) as asked (id)
      where pg_try_advisory_xact_lock(${CLAIM_LOCKS}, hashtext(asked.id))`.execute(trx);
    const locked = new Set(rows.map(({ endpointId }) => endpointId));
    const busy = new Set(asked.filter((id) => !locked.has(id)));
    if (locked.size === 0) return { deliveries: [], busy, isCut: false };
    const places = Object.fromEntries(Object.entries(claim.places).filter(([id]) => locked.has(id)));
    return { busy, ...(await takeDue(trx, { ...claim, places })) };
  });
}

/** Its snapshot is from after the locks, and so has what was claimed before. */
async function takeDue(
  trx: Kysely<Tables>,
  { claimId, at, leasedUntil, places, maxBytes, over }: Claim,
): Promise<Omit<Claimed, "busy">> {
  const { rows } = await sql<ClaimedDelivery & { found: number }>`
    -- prepared: webhooks-claim
    with wanted as materialized (
      select e.id, asked.places::int as places
      from json_each_text(${JSON.stringify(places)}::json) as asked (id, places)
      cross join lateral (select * from webhook_endpoints where id = asked.id limit 1) e
      where e.enabled and e.listening_until is null
    ), held as materialized (
      select unnest(c.taken) as attempt from wanted cross join lateral (
        select taken from webhook_claims where endpoint_id = wanted.id and leased_until > ${at} offset 0
      ) c
    ), found as (
      select next.*, count(*) over () as total, row_number() over (order by next_attempt_at, next.id) as nth,
        sum(bytes) over (order by next_attempt_at, next.id) as bytes_so_far,
        row_number() over (partition by endpoint_id order by next_attempt_at, next.id) as own_nth,
        sum(bytes) over (partition by endpoint_id order by next_attempt_at, next.id) as own_bytes
      from wanted cross join lateral (
        select d.id, d.endpoint_id, d.event, d.body, d.attempts, d.next_attempt_at, octet_length(d.body) as bytes
        from webhook_deliveries d
        where d.endpoint_id = wanted.id and d.status in ('pending', 'failed') and d.next_attempt_at <= ${at}
          and (d.leased_until is null or d.leased_until <= ${at})
          and (d.id || ':' || d.attempts) not in (select attempt from held)
        order by d.next_attempt_at limit wanted.places
      ) next
    ), taken as materialized (
      select * from found where nth = 1
        or (bytes_so_far <= ${maxBytes} and (own_nth <= ${FIRST_FEW} or own_bytes <= ${MAX_BYTES_AHEAD}))
    ), written as (
      insert into webhook_claims (id, endpoint_id, taken, leased_until)
      select ${claimId}, endpoint_id, array_agg(id || ':' || attempts), ${leasedUntil} from taken group by endpoint_id
    ), gone as (
      delete from webhook_claims c
      using json_to_recordset(${JSON.stringify(over)}::json) as o ("claimId" text, "endpointId" text)
      cross join lateral (
        select ctid as tid from webhook_claims where endpoint_id = o."endpointId" and id = o."claimId" limit 1
      ) own
      where c.ctid = own.tid
    )
    select id, endpoint_id as "endpointId", event, body, attempts, total::int as found from taken
    order by next_attempt_at, id`.execute(trx);
  return { deliveries: rows, isCut: rows.length < (rows[0]?.found ?? 0) };
}

/** Leaves claims only these attempts; others may take the rest at once. */
export async function keepTaken(
  { db }: Database,
  kept: readonly (ClaimOf & { readonly taken: readonly string[] })[],
): Promise<void> {
  if (kept.length === 0) return;
  await sql`
    update webhook_claims c set taken = array(select json_array_elements_text(k.taken))
    from json_to_recordset(${JSON.stringify(kept)}::json) as k ("claimId" text, "endpointId" text, taken json)
    where c.endpoint_id = k."endpointId" and c.id = k."claimId"`.execute(db);
}

/** Deletes claims whose lease is over: of processes that died, and what was never tidied up. */
export async function deleteExpiredClaims({ db }: Database, at: Date): Promise<void> {
  await db.deleteFrom("webhook_claims").where("leased_until", "<=", at).execute();
}

/** Result of an attempt. */
export interface Result {
  readonly id: string;
  readonly status: "delivered" | "failed" | "dead";
  /** This one included. */
  readonly attempts: number;
  readonly at: Date;
  /** Null: no further attempt. */
  readonly nextAttemptAt: Date | null;
  readonly responseStatus: number | null;
  readonly responseBody: string | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/**
 * Records results of attempts in one statement; returns the ids of those that were the first of their attempt. If a lease
 * expired meanwhile, two processes make one attempt, and the result that comes first counts. Needs no transaction around
 * it, whose beginning and end would cost as much as dozens of results.
 */
export async function recordResults(
  db: Kysely<Tables>,
  results: readonly Result[],
): Promise<ReadonlySet<string>> {
  const { rows } = await resultsUpdate(inLockOrder(results)).execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Not prepared, unlike the rest of the queue: which join to take depends on how many deliveries there are, and a plan that is
 * kept from when they were few reads all of them for each batch. Planning anew costs a batch less than looking each row up
 * twice, which would leave no choice. The status is not asked for as the index of what is owed has it, or that could be read
 * from end to end.
 */
export function resultsUpdate(results: readonly Result[]): RawBuilder<{ id: string }> {
  return sql`
    with unwaited as materialized (select set_config('synchronous_commit', 'off', true))
    ${update(results)}, unwaited
    where d.id = r.id and d.attempts = r.attempts - 1 and d.status not in ('delivered', 'dead')
    returning d.id`;
}

/** One order in every process, so that two never wait for each other's rows. */
function inLockOrder(results: readonly Result[]): readonly Result[] {
  return results.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** Records the result that a listener reports; returns false if the delivery is not its claim's any more. */
export async function recordReported(
  db: Kysely<Tables>,
  result: Result & { readonly claimId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    ${update([result])} where d.id = r.id and d.claim_id = ${result.claimId} returning d.id`.execute(db);
  return rows.length > 0;
}

function update(results: readonly Result[]): RawBuilder<unknown> {
  return sql`update webhook_deliveries d
    set status = r.status, attempts = r.attempts, last_attempt_at = to_timestamp(r."atMs" / 1000),
      next_attempt_at = coalesce(to_timestamp(r."nextMs" / 1000), d.next_attempt_at), leased_until = null, claim_id = null,
      response_status = r."responseStatus", response_body = r."responseBody", error = r.error,
      duration_ms = r."durationMs"
    from json_to_recordset(${JSON.stringify(results.map(written))}::json) as r (
      id text, status text, attempts integer, "atMs" double precision, "nextMs" double precision,
      "responseStatus" integer, "responseBody" text, error text, "durationMs" integer
    )`;
}

/** Without what is null, and with times that are numbers: both sides have less to write and to read. */
function written(result: Result) {
  const { at, nextAttemptAt, responseStatus, responseBody, error, ...rest } = result;
  return {
    ...rest,
    atMs: at.getTime(),
    nextMs: nextAttemptAt?.getTime(),
    responseStatus: responseStatus ?? undefined,
    responseBody: responseBody ?? undefined,
    error: error ?? undefined,
  };
}

/** Pending deliveries to enabled endpoints, due now or later. */
export interface Backlog {
  readonly deliveries: number;
  /** Age of the most overdue delivery, in ms; 0 if none is due. */
  readonly oldestDueMs: number;
}

export async function readBacklog({ db }: Database, now: Date): Promise<Backlog> {
  const { deliveries, oldest } = await db
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .select(({ fn }) => [fn.countAll<string>().as("deliveries"), fn.min("d.next_attempt_at").as("oldest")])
    .where("d.status", "in", ["pending", "failed"])
    .where("e.enabled", "=", true)
    .where("e.listening_until", "is", null)
    .executeTakeFirstOrThrow();
  const oldestDueMs = oldest === null ? 0 : Math.max(0, now.getTime() - oldest.getTime());
  return { deliveries: Number(deliveries), oldestDueMs };
}
