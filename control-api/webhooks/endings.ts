import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { EventPayload } from "@parley/shared/contracts/event-catalog/catalog.ts";
import { type Kysely, sql } from "kysely";
import type { Tables } from "../database/tables.ts";
import { truncateUtf8 } from "./truncate-utf8.ts";

/** docs/webhooks.md#body-sizes */
const MAX_TRANSCRIPT_ROWS = 500;
const MAX_TEXT_BYTES = 8_000;

/** What `call.ended` reports about the whole call. */
export interface Ending {
  readonly messageCount: number;
  readonly recordingId: string | undefined;
  readonly transcript: NonNullable<EventPayload<"call.ended">["transcript"]>;
}

export const NOTHING: Ending = { messageCount: 0, recordingId: undefined, transcript: [] };

interface MessageRow {
  readonly sessionId: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at: Date;
}

/** Endings of all sessions that end in a batch, by session, with transcripts only where an organization wants them. */
export async function findEndings(
  trx: Kysely<Tables>,
  events: readonly CallEvent[],
  wantsTranscript: (orgId: string) => boolean,
): Promise<Map<string, Ending>> {
  const ended = events.filter(({ type }) => type === "call.ended");
  if (ended.length === 0) return new Map();
  const sessionIds = [...new Set(ended.map(({ sessionId }) => sessionId))];
  const counts = await trx
    .selectFrom("call_messages")
    .select(["session_id as sessionId", ({ fn }) => fn.countAll<string>().as("count")])
    .where("session_id", "in", sessionIds)
    .groupBy("session_id")
    .execute();
  const recordings = await trx
    .selectFrom("recordings")
    .select(["session_id as sessionId", "id"])
    .where("session_id", "in", sessionIds)
    .where("deleted_at", "is", null)
    .execute();
  const wanting = new Set(
    ended.filter(({ orgId }) => wantsTranscript(orgId)).map(({ sessionId }) => sessionId),
  );
  const transcripts = Map.groupBy(await findMessages(trx, [...wanting]), ({ sessionId }) => sessionId);
  const countOf = new Map(counts.map(({ sessionId, count }) => [sessionId, Number(count)]));
  const recordingOf = new Map(recordings.map(({ sessionId, id }) => [sessionId, id]));
  return new Map(
    sessionIds.map((sessionId) => [
      sessionId,
      {
        messageCount: countOf.get(sessionId) ?? 0,
        recordingId: recordingOf.get(sessionId),
        transcript: (transcripts.get(sessionId) ?? []).map(({ role, text, at }) => ({
          role,
          text: truncateUtf8(text, MAX_TEXT_BYTES),
          at: at.toISOString(),
        })),
      },
    ]),
  );
}

/** The newest messages of each session, oldest first. */
async function findMessages(trx: Kysely<Tables>, sessionIds: readonly string[]): Promise<MessageRow[]> {
  if (sessionIds.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select asked.session_id as "sessionId", newest.role, newest.text, newest.at
    from json_to_recordset(${JSON.stringify(sessionIds.map((session_id) => ({ session_id })))}::json)
      as asked (session_id text)
    cross join lateral (
      select m.role, m.text, m.at, m.seq from call_messages m
      where m.session_id = asked.session_id
      order by m.seq desc limit ${MAX_TRANSCRIPT_ROWS}
    ) newest
    order by asked.session_id, newest.seq`.execute(trx);
  return rows;
}
