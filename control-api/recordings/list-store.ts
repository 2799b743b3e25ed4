import type { RecordingsQuery } from "@parley/shared/contracts/recordings.ts";
import type { Database } from "@parley/shared/database/open.ts";

/** Recordings of an organization that pass the filters, the newest first; ids sort by the time they were made. */
export async function listRecordings(database: Database, orgId: string, query: RecordingsQuery) {
  const { limit, before, agentId, call, from, to } = query;
  return selectRecordings(database, orgId)
    .$if(before !== undefined, (rows) => rows.where("recordings.id", "<", before ?? ""))
    .$if(agentId !== undefined, (rows) => rows.where("calls.agent_id", "=", agentId ?? ""))
    .$if(call !== undefined, (rows) =>
      rows.where(({ or, eb }) =>
        or([eb("calls.id", "=", call ?? ""), eb("calls.session_id", "=", call ?? "")]),
      ),
    )
    .$if(from !== undefined, (rows) => rows.where("recordings.created_at", ">=", new Date(from ?? 0)))
    .$if(to !== undefined, (rows) => rows.where("recordings.created_at", "<", new Date(to ?? 0)))
    .orderBy("recordings.id", "desc")
    .limit(limit)
    .execute();
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
