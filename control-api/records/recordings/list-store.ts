import type { RecordingsQuery } from "@parley/shared/contracts/recordings.ts";
import { type Kysely, type SqlBool, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/**
 * How many of the newest recordings are scanned for an agent's. An agent with fewer matches among them is searched by
 * its calls, since no index has a recording's agent.
 */
const LOOKED_THROUGH = 3_000;

/** An organization's recordings that pass the filters, newest first; ids sort by creation time. */
export async function listRecordings(database: Database, orgId: string, query: RecordingsQuery) {
  const { db } = database;
  const { limit, agentId } = query;
  const page = newestFirst(filterRecordings(db, orgId, query), query).select("recordings.id");
  if (agentId === undefined) return selectPage(database, orgId, page.limit(limit));
  // The limit keeps the planner from looking for them anywhere else.
  const newest = newestFirst(filterRecordings(db, orgId, query), query)
    .selectAll("recordings")
    .limit(LOOKED_THROUGH)
    .as("recordings");
  const among = db
    .selectFrom(newest)
    .select("recordings.id")
    .orderBy(isOfTime(query) ? "recordings.created_at" : "recordings.id", "desc")
    .orderBy("recordings.id", "desc")
    .where(
      ({ selectFrom }) =>
        selectFrom("calls")
          .select("calls.agent_id")
          .whereRef("calls.session_id", "=", "recordings.session_id"),
      "=",
      agentId,
    );
  const found = await selectPage(database, orgId, among.limit(limit));
  const isAll = (await page.offset(LOOKED_THROUGH).limit(1).execute()).length === 0;
  if (isAll || found.length === limit) return found;
  const byCalls = page.where(
    sql<SqlBool>`recordings.session_id in (with calls_of_agent as materialized (
      select session_id from calls where org_id = ${orgId} and agent_id = ${agentId}
    ) select session_id from calls_of_agent)`,
  );
  return selectPage(database, orgId, byCalls.limit(limit));
}

function filterRecordings(db: Kysely<Tables>, orgId: string, query: RecordingsQuery) {
  const { before, call, from, to } = query;
  let recordings = db
    .selectFrom("recordings")
    .where("recordings.org_id", "=", orgId)
    .where("recordings.deleted_at", "is", null);
  if (from !== undefined) recordings = recordings.where("recordings.created_at", ">=", new Date(from));
  if (to !== undefined) recordings = recordings.where("recordings.created_at", "<", new Date(to));
  if (before !== undefined) recordings = recordings.where(isBehind(before, orgId, query));
  if (call === undefined) return recordings;
  return recordings.where("recordings.session_id", "=", ({ selectFrom }) =>
    selectFrom("calls")
      .select("calls.session_id")
      .where("calls.org_id", "=", orgId)
      .where(({ or, eb }) => or([eb("calls.id", "=", call), eb("calls.session_id", "=", call)]))
      .limit(1),
  );
}

/** With a time filter, sorts by the time itself, or the planner would step back through all newer recordings. */
function newestFirst<T extends ReturnType<typeof filterRecordings>>(
  recordings: T,
  query: RecordingsQuery,
): T {
  const ordered = isOfTime(query) ? recordings.orderBy("recordings.created_at", "desc") : recordings;
  return ordered.orderBy("recordings.id", "desc") as T;
}

function isBehind(id: string, orgId: string, query: RecordingsQuery) {
  if (!isOfTime(query)) return sql<SqlBool>`recordings.id < ${id}`;
  const at = sql`(select cursor.created_at from recordings cursor where cursor.id = ${id} and cursor.org_id = ${orgId})`;
  // If the recording at the cursor is gone or another organization's, its id alone sets the position.
  return sql<SqlBool>`recordings.created_at <= coalesce(${at}, 'infinity')
    and (recordings.created_at < coalesce(${at}, '-infinity') or recordings.id < ${id})`;
}

function isOfTime({ from, to }: RecordingsQuery): boolean {
  return from !== undefined || to !== undefined;
}

async function selectPage(database: Database, orgId: string, page: { execute(): Promise<{ id: string }[]> }) {
  const ids = (await page.execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await selectRecordings(database, orgId).where("recordings.id", "in", ids).execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** One recording of an organization, by its own id. */
export async function findListedRecording(database: Database, orgId: string, id: string) {
  return selectRecordings(database, orgId).where("recordings.id", "=", id).executeTakeFirst();
}

export type ListedRecording = Awaited<ReturnType<typeof listRecordings>>[number];

function selectRecordings({ db }: Database, orgId: string) {
  return db
    .selectFrom("recordings")
    .innerJoin("calls", "calls.session_id", "recordings.session_id")
    .leftJoin("agents", "agents.id", "calls.agent_id")
    .select([
      "recordings.id as id",
      "recordings.key as key",
      "recordings.session_id as sessionId",
      "recordings.duration_ms as durationMs",
      "recordings.size_bytes as sizeBytes",
      "recordings.partial as partial",
      "recordings.created_at as createdAt",
      "calls.id as callId",
      "calls.agent_id as agentId",
      "agents.name as agentName",
      "calls.channel as channel",
      "calls.direction as direction",
      "calls.from_number as fromNumber",
      "calls.to_number as toNumber",
    ])
    .where("recordings.org_id", "=", orgId)
    .where("recordings.deleted_at", "is", null);
}
