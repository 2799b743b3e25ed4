import { type TimelineEntry, timelineEntrySchema } from "@parley/shared/contracts/calls.ts";
import { sql } from "kysely";
import type { Database } from "../../database/open.ts";

const SHOWN = timelineEntrySchema.shape.type.options;
/** Bounds a caller leaning on a key. */
const MOST = 500;

/** What happened in a call besides what its record shows, in order; the first 500 entries. */
export async function readTimeline({ db }: Database, sessionId: string): Promise<TimelineEntry[]> {
  const rows = await db
    .selectFrom("call_events")
    .select(["id", "type", "at"])
    // The event's type decides which of these fields it has; none once deleted.
    .select(
      sql<string | null>`coalesce(body->>'digit', body->>'to', body->>'answeredBy', body->>'reason')`.as(
        "about",
      ),
    )
    .where("session_id", "=", sessionId)
    .where("type", "in", SHOWN)
    .orderBy("seq")
    .limit(MOST)
    .execute();
  return rows.map(({ at, ...row }) => timelineEntrySchema.parse({ ...row, at: at.toISOString() }));
}
