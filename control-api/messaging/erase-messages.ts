import type { JobQueue } from "../jobs/queue.ts";
import type { EraseContent, ForgetPeople, PersonalData } from "../modules/module.ts";
import { deleteMediaOf } from "./inbound/delete-media.ts";

/** Deletes the content of sessions' messages; keeps the fact that they existed and their delivery status. */
export function erasesMessages(queue: JobQueue): EraseContent {
  return async (trx, { sessionIds }) => {
    await deleteMediaOf(trx, { sessionIds }, queue);
    await trx
      .updateTable("messaging_messages")
      .set({ body: null, content: null, sealed: null, media: null })
      .where("session_id", "in", [...sessionIds])
      .execute();
  };
}

/** Messages written over channels, and their contacts. */
export const WRITTEN: PersonalData = {
  name: "messages",
  tables: ["messaging_messages", "messaging_threads"],
  read: (db, { orgId, sessionIds }) =>
    db
      .selectFrom("messaging_messages as m")
      .innerJoin("messaging_threads as t", "t.id", "m.thread_id")
      .select([
        "m.session_id as sessionId",
        "t.contact_name as contactName",
        "t.contact_phone as contactPhone",
      ])
      .select(["m.direction", "m.author", "m.type", "m.body", "m.content", "m.status", "m.sent_at as sentAt"])
      .where("m.org_id", "=", orgId)
      .where("m.session_id", "in", [...sessionIds])
      .orderBy("m.sent_at")
      .execute(),
};

/** Deletes the conversations of these sessions; a contact who writes again is new. */
export const forgetContacts: ForgetPeople = async (trx, { orgId, sessionIds }) => {
  const threads = await trx
    .selectFrom("messaging_messages")
    .select("thread_id as id")
    .distinct()
    .where("org_id", "=", orgId)
    .where("session_id", "in", [...sessionIds])
    .execute();
  if (threads.length === 0) return;
  const ids = threads.map(({ id }) => id);
  await trx.deleteFrom("messaging_messages").where("thread_id", "in", ids).execute();
  await trx.deleteFrom("messaging_threads").where("id", "in", ids).execute();
};
