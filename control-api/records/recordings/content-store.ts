import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import { ANSWERED_ROUTES } from "../../channels/chat/answer-once.ts";
import type { Tables } from "../../database/tables.ts";

/** Nothing is deleted while an organization is held. Throws `AppError` conflict. */
export async function assertNoLegalHold(trx: Kysely<Tables>, orgId: string): Promise<void> {
  const org = await holdOf(trx, orgId).forShare().executeTakeFirst();
  if (org?.legal_hold) {
    throw new AppError(
      "conflict",
      "The organization is under legal hold; nothing of it may be deleted until an owner or admin ends the hold " +
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

/** A call of this organization, kept from events that come late meanwhile; by call or session id. */
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
 * Deletes what was said in calls and everything that tells of it: messages, tools, notes, bodies of events, deliveries, what
 * a chat held, answers kept for repeated requests.
 * That the calls took place, when and how long stays. Their recordings are hidden until their files are gone.
 */
export async function deleteContent(
  trx: Kysely<Tables>,
  { sessionIds, at }: { sessionIds: readonly string[]; at: Date },
): Promise<void> {
  await trx
    .updateTable("calls")
    .set({ content_deleted_at: at, variables: "{}", notes: "" })
    .where("session_id", "in", sessionIds)
    .execute();
  await trx.deleteFrom("call_messages").where("session_id", "in", sessionIds).execute();
  await trx.deleteFrom("call_tools").where("session_id", "in", sessionIds).execute();
  // Of a chat: what the next reply would have been told, what was not recorded yet, and answers kept for repeated
  // messages. Those of requests that place calls stay, or the same request would place another.
  await trx
    .updateTable("chats")
    .set({ held_events: "[]", heard: null, unsent: null, unsent_until: null })
    .where("session_id", "in", sessionIds)
    .execute();
  await trx
    .deleteFrom("idempotent_requests")
    .where("session_id", "in", sessionIds)
    .where("route", "in", Object.values(ANSWERED_ROUTES))
    .execute();
  await trx.deleteFrom("webhook_deliveries").where("session_id", "in", sessionIds).execute();
  // Their ids stay: an event that comes a second time is known.
  await trx.updateTable("call_events").set({ body: "{}" }).where("session_id", "in", sessionIds).execute();
  await trx
    .updateTable("recordings")
    .set({ deleted_at: at })
    .where("session_id", "in", sessionIds)
    .where("deleted_at", "is", null)
    .execute();
}
