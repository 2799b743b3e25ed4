import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** How long an organization keeps what was said in its calls. */

/** A hundred years; "forever" is 0. */
const MAX_DAYS = 36_500;

export const retentionSchema = z.object({
  /** Days after a call's end; 0 keeps recordings forever, null follows the installation. */
  recordingRetentionDays: z.int().nullable(),
  /** The installation's default; 0: forever. */
  defaultDays: z.int(),
  /** While on, nothing is deleted, regardless of any other setting. */
  legalHold: z.boolean(),
});
export type Retention = z.infer<typeof retentionSchema>;
export const retentionResponseSchema = wrapped(retentionSchema);

export const changeRetentionSchema = z
  .strictObject({
    recordingRetentionDays: z.int().min(0).max(MAX_DAYS).nullable().optional(),
    legalHold: z.boolean().optional(),
  })
  .refine((body) => body.recordingRetentionDays !== undefined || body.legalHold !== undefined, {
    message: "send recordingRetentionDays, legalHold or both",
    path: ["recordingRetentionDays"],
  });
export type ChangeRetention = z.infer<typeof changeRetentionSchema>;
