import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { forgetAnswers } from "../../http/idempotency/store.ts";
import type { ErasedCalls } from "../../modules/module.ts";
import { ANSWERED_ROUTES } from "./answer-once.ts";

/**
 * Deletes chat content kept outside the record: history for the next reply, unrecorded events, and answers kept for
 * repeated messages. Keys of requests that place calls stay, or a repeat would place another call.
 */
export async function eraseChatContent(trx: Kysely<Tables>, { sessionIds }: ErasedCalls): Promise<void> {
  await trx
    .updateTable("chats")
    .set({ held_events: "[]", heard: null, unsent: null, unsent_until: null, flow: null })
    .where("session_id", "in", sessionIds)
    .execute();
  await forgetAnswers(trx, { sessionIds, routes: Object.values(ANSWERED_ROUTES) });
}
