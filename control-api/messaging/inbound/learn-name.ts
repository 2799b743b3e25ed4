import { cutText } from "@parley/shared/contracts/storable.ts";
import { z } from "zod";
import { handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import type { MessagingDeps } from "../deps.ts";
import { GraphError } from "../graph/graph-api.ts";
import { findThread } from "../threads/thread-store.ts";

/** Asks a provider for a contact's name, where messages do not carry it. */
export const LEARN_NAME: JobKind<{ threadId: string }> = {
  name: "learn_contact_name",
  payload: z.object({ threadId: z.string() }),
};
const ATTEMPTS = 3;
const MAX_CHARS = 256;

export function learnsNames({ database, senders }: Pick<MessagingDeps, "database" | "senders">): JobHandler {
  return handles(
    LEARN_NAME,
    async ({ payload: { threadId }, signal }) => {
      const thread = await findThread(database.db, threadId);
      if (!thread?.contact_user_id || thread.contact_name !== null) return;
      const opened = await senders.find(thread.channel_id);
      try {
        const name = await opened?.sender.nameOf?.(thread.contact_user_id, signal);
        if (!name) return;
        await database.db
          .updateTable("messaging_threads")
          .set({ contact_name: cutText(name, MAX_CHARS) })
          .where("id", "=", threadId)
          .execute();
      } catch (error) {
        // A contact who has not consented stays nameless.
        if (error instanceof GraphError && error.meaning.fate === "refused") return;
        throw error;
      }
    },
    { attempts: ATTEMPTS },
  );
}
