import type { Kysely } from "kysely";
import { z } from "zod";
import type { Tables } from "../../database/tables.ts";
import type { JobKind } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";

/** One for each time a document is to be read. */
export const READ_DOCUMENT: JobKind<{ documentId: string }> = {
  name: "read_document",
  payload: z.object({ documentId: z.string() }),
};

/** Has a document read, one of a base at a time. Call `announce` of the queue after the commit. */
export async function addReading(
  trx: Kysely<Tables>,
  { id, orgId, baseId }: { readonly id: string; readonly orgId: string; readonly baseId: string },
  queue: Pick<JobQueue, "add">,
): Promise<void> {
  await queue.add(trx, READ_DOCUMENT, { payload: { documentId: id }, orgId, key: baseId });
}
