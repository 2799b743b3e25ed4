import { type Kysely, sql } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import type { ErasedCalls } from "../../modules/module.ts";

/** Replaces the notes, unless the call's content was deleted. Returns undefined if nothing was written. */
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

/** Erases what a call's own row contains of what was said, and marks it as deleted, unless it is already. */
export async function eraseCallRows(trx: Kysely<Tables>, { sessionIds, at }: ErasedCalls): Promise<void> {
  await trx
    .updateTable("calls")
    .set({ content_deleted_at: sql`coalesce(content_deleted_at, ${at})`, variables: "{}", notes: "" })
    .where("session_id", "in", sessionIds)
    .execute();
}

/** Erases who the person was from a call's row; that there was a call stays. */
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
