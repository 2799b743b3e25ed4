import type { Database } from "../../database/open.ts";

/** WhatsApp delivers again for a week, and tells nothing new of a message that is older than this. */
const KEEP_MS = 60 * 86_400_000;

/** Statuses of messages that nothing more is told of. */
export async function deleteOldStatuses({ db }: Pick<Database, "db">, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_MS);
  await db.deleteFrom("messaging_statuses").where("updated_at", "<", before).execute();
}
