import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { ErasedCalls } from "../../modules/module.ts";
import { eraseCallRows } from "../call-rows/content.ts";

/** Throws `AppError` conflict if the organization is under legal hold, which forbids deletions. */
export async function assertNoLegalHold(trx: Kysely<Tables>, orgId: string): Promise<void> {
  const org = await holdOf(trx, orgId).forShare().executeTakeFirst();
  if (org?.legal_hold) {
    throw new AppError(
      "conflict",
      "The organization is under legal hold; nothing can be deleted until an owner or admin ends the hold " +
        "(PATCH /api/orgs/{orgId}/retention).",
    );
  }
}

/** Whether a deletion would be refused now. */
export async function isOnLegalHold(db: Kysely<Tables>, orgId: string): Promise<boolean> {
  const org = await holdOf(db, orgId).executeTakeFirst();
  return org?.legal_hold ?? false;
}

function holdOf(db: Kysely<Tables>, orgId: string) {
  return db.selectFrom("organizations").select("legal_hold").where("id", "=", orgId);
}

/** Finds a call of this organization, by call or session id, and locks it against late events. */
export async function lockCall(trx: Kysely<Tables>, orgId: string, id: string) {
  return trx
    .selectFrom("calls")
    .select(["id", "session_id as sessionId", "ended_at as endedAt"])
    .where("org_id", "=", orgId)
    .where((where) => where.or([where("id", "=", id), where("session_id", "=", id)]))
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Deletes the recorded content of calls: messages, tools, notes, bodies of events. That the calls took place, when and
 * how long stays. Their recordings are hidden until their files are deleted.
 */
export async function eraseCallContent(trx: Kysely<Tables>, { sessionIds, at }: ErasedCalls): Promise<void> {
  await eraseCallRows(trx, { sessionIds, at });
  await trx.deleteFrom("call_messages").where("session_id", "in", sessionIds).execute();
  await trx.deleteFrom("call_tools").where("session_id", "in", sessionIds).execute();
  // Keeps the ids, so that a redelivered event is recognized.
  await trx.updateTable("call_events").set({ body: "{}" }).where("session_id", "in", sessionIds).execute();
  await trx
    .updateTable("recordings")
    .set({ deleted_at: at })
    .where("session_id", "in", sessionIds)
    .where("deleted_at", "is", null)
    .execute();
}
