import { z } from "zod";

/** Reads that travel together; a page sends a handful at once. */
export const MAX_BATCHED_READS = 24;

/** `POST /api/batch`: several reads in one request. */
export const batchSchema = z.strictObject({
  reads: z
    .array(
      z.strictObject({
        /** Path and query of a GET route that answers with JSON. */
        path: z.string().max(4_096).startsWith("/api/", "must start with /api/"),
        /** What `X-Org-Id` would say. */
        orgId: z.string().max(64).optional(),
      }),
    )
    .min(1)
    .max(MAX_BATCHED_READS),
});
export type Batch = z.infer<typeof batchSchema>;

/** One line of the answer; lines come in the order in which the reads are done. */
export interface BatchedAnswer {
  /** Index of the read. */
  readonly at: number;
  readonly status: number;
  /** As the read by itself would have answered. */
  readonly body: unknown;
}
