import type { Database } from "../../database/open.ts";

/** WhatsApp redelivers for a week, and reports nothing new about a message older than this. */
const KEEP_MS = 60 * 86_400_000;

/** Deletes statuses of messages too old for further updates. */
export async function deleteOldStatuses({ db }: Pick<Database, "db">, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_MS);
  await db.deleteFrom("messaging_statuses").where("updated_at", "<", before).execute();
}
