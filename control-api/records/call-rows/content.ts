import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { ErasedCalls } from "../../modules/module.ts";

/** In the place of those before, unless the call's content was deleted. Undefined when nothing was written. */
export async function setNotes(
  { db }: Database,
  { orgId, id, notes }: { orgId: string; id: string; notes: string },
): Promise<{ id: string; sessionId: string; notes: string } | undefined> {
  return db
    .updateTable("calls")
    .set({ notes })
    .where("org_id", "=", orgId)
    .where((where) => where.or([where("id", "=", id), where("session_id", "=", id)]))
    .where("content_deleted_at", "is", null)
    .returning(["id", "session_id as sessionId", "notes"])
    .executeTakeFirst();
}

/** What a call's row itself has of what was said, and that it was deleted. */
export async function eraseCallRows(trx: Kysely<Tables>, { sessionIds, at }: ErasedCalls): Promise<void> {
  await trx
    .updateTable("calls")
    .set({ content_deleted_at: at, variables: "{}", notes: "" })
    .where("session_id", "in", sessionIds)
    .execute();
}

/** What of a call's row says who the person was; that there was a call stays. */
export async function forgetPeople(trx: Kysely<Tables>, sessionIds: readonly string[]): Promise<void> {
  await trx
    .updateTable("calls")
    .set({
      identifier: null,
      from_number: sql`case direction when 'outbound' then from_number end`,
      to_number: sql`case direction when 'outbound' then null else to_number end`,
    })
    .where("session_id", "in", [...sessionIds])
    .execute();
}
