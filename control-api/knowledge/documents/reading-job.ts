import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../../database/tables.ts";
import type { JobKind } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";

/** One job per reading of a document. */
export const READ_DOCUMENT: JobKind<{ documentId: string }> = {
  name: "read_document",
  payload: z.object({ documentId: z.string() }),
};

/** Queues a document for reading, one per base at a time. Call the queue's `announce` after the commit. */
export async function addReading(
  trx: Kysely<Tables>,
  { id, orgId, baseId }: { readonly id: string; readonly orgId: string; readonly baseId: string },
  queue: Pick<JobQueue, "add">,
): Promise<void> {
  await queue.add(trx, READ_DOCUMENT, { payload: { documentId: id }, orgId, key: baseId });
}
