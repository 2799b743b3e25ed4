import type { SecretBox } from "@parley/shared/security/secret-box.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { EraseContent, ForgetPeople, KnownPeople, OrgPerson, PersonalData } from "../modules/module.ts";
import { deleteMediaOf } from "./inbound/delete-media.ts";
import { forgetChoicesOf } from "./opt-out/forget-choices.ts";

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

/** Deletes the conversations of these sessions; a contact who writes again is new, but for an opt-out. */
export function forgetsContacts(secrets: SecretBox): ForgetPeople {
  return async (trx, { orgId, sessionIds }) => {
    const written = await trx
      .selectFrom("messaging_messages")
      .select("thread_id as id")
      .distinct()
      .where("org_id", "=", orgId)
      .where("session_id", "in", [...sessionIds])
      .execute();
    await deleteThreads(trx, await lockThreads(trx, written), secrets);
  };
}

async function lockThreads(trx: Kysely<Tables>, which: readonly { readonly id: string }[]) {
  if (which.length === 0) return [];
  return trx
    .selectFrom("messaging_threads")
    .select(["id", "org_id", "channel_id", "contact_phone", "contact_user_id", "opted_out_at"])
    .where(
      "id",
      "in",
      which.map(({ id }) => id),
    )
    .orderBy("id")
    .forUpdate()
    .execute();
}

async function deleteThreads(
  trx: Kysely<Tables>,
  threads: Awaited<ReturnType<typeof lockThreads>>,
  secrets: SecretBox,
): Promise<void> {
  if (threads.length === 0) return;
  const ids = threads.map(({ id }) => id);
  await forgetChoicesOf(trx, threads, secrets);
  await trx.deleteFrom("messaging_messages").where("thread_id", "in", ids).execute();
  await trx.deleteFrom("messaging_threads").where("id", "in", ids).execute();
}

/** Contacts who were only written to, or whom no agent answers: their conversations belong to no session. */
export function contactsWithoutSession(queue: JobQueue, secrets: SecretBox): KnownPeople {
  return {
    name: "conversations-without-a-session",
    read: (db, person) =>
      threadsOf(db, person)
        .innerJoin("messaging_messages as m", "m.thread_id", "t.id")
        .select(["t.contact_name as contactName", "t.contact_phone as contactPhone"])
        .select([
          "m.direction",
          "m.author",
          "m.type",
          "m.body",
          "m.content",
          "m.status",
          "m.sent_at as sentAt",
        ])
        .orderBy("m.sent_at")
        .execute(),
    forget: async (trx, person) => {
      const threads = await lockThreads(trx, await threadsOf(trx, person).select("t.id").execute());
      if (threads.length === 0) return { gone: 0, inUse: 0 };
      await deleteMediaOf(trx, { threadIds: threads.map(({ id }) => id) }, queue);
      await deleteThreads(trx, threads, secrets);
      return { gone: threads.length, inUse: 0 };
    },
  };
}

function threadsOf(db: Kysely<Tables>, { orgId, identifier }: OrgPerson) {
  return db
    .selectFrom("messaging_threads as t")
    .where("t.org_id", "=", orgId)
    .where((is) => is.or([is("t.contact_phone", "=", identifier), is("t.contact_user_id", "=", identifier)]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("messaging_messages as n")
            .select("n.id")
            .whereRef("n.thread_id", "=", "t.id")
            .where("n.session_id", "is not", null),
        ),
      ),
    );
}
