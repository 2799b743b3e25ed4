import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../../database/tables.ts";
import { handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { StoredFiles } from "../../records/recordings/stored-files.ts";

const SLICE = 500;

const DELETE_MEDIA: JobKind<{ keys: string[] }> = {
  name: "delete_message_media",
  payload: z.object({ keys: z.array(z.string()) }),
};

export function deletesMedia({ files }: { readonly files: StoredFiles }): JobHandler {
  return handles(DELETE_MEDIA, async ({ payload, signal }) => {
    for (const key of payload.keys) {
      signal.throwIfAborted();
      await files.delete(key);
    }
  });
}

/** Schedules the files of messages deleted in this transaction for deletion after it. */
export async function deleteMediaOf(
  trx: Kysely<Tables>,
  which:
    | { readonly channelId: string }
    | { readonly sessionIds: readonly string[] }
    | { readonly threadIds: readonly string[] },
  queue: Pick<JobQueue, "add">,
): Promise<void> {
  const rows = await trx
    .selectFrom("messaging_messages")
    .select("media")
    .where("media", "is not", null)
    .$if("channelId" in which, (are) =>
      are.where("channel_id", "=", "channelId" in which ? which.channelId : ""),
    )
    .$if("threadIds" in which, (are) =>
      are.where("thread_id", "in", "threadIds" in which ? [...which.threadIds] : []),
    )
    .$if("sessionIds" in which, (are) =>
      are.where("session_id", "in", "sessionIds" in which ? [...which.sessionIds] : []),
    )
    .execute();
  const keys = rows.flatMap(({ media }) => media?.key ?? []);
  for (let at = 0; at < keys.length; at += SLICE)
    await queue.add(trx, DELETE_MEDIA, { payload: { keys: keys.slice(at, at + SLICE) } });
}
