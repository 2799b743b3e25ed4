import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { forgetAnswers } from "../../http/idempotency/store.ts";
import type { ErasedCalls } from "../../modules/module.ts";
import { ANSWERED_ROUTES } from "./answer-once.ts";

/**
 * Deletes what is kept of chats beside their record: what the next reply would have been told, what was not recorded yet, and
 * answers kept for repeated messages. Those of requests that place calls stay, or the same request would place another.
 */
export async function eraseChatContent(trx: Kysely<Tables>, { sessionIds }: ErasedCalls): Promise<void> {
  await trx
    .updateTable("chats")
    .set({ held_events: "[]", heard: null, unsent: null, unsent_until: null, flow: null })
    .where("session_id", "in", sessionIds)
    .execute();
  await forgetAnswers(trx, { sessionIds, routes: Object.values(ANSWERED_ROUTES) });
}
