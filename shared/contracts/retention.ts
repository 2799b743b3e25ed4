import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** How long an organization keeps what was said in its calls. */

/** A hundred years: more is "forever", which is 0. */
const MAX_DAYS = 36_500;

export const retentionSchema = z.object({
  /** Days after a call's end; 0 keeps it forever, null as the installation does. */
  recordingRetentionDays: z.int().nullable(),
  /** The installation's; 0: forever. */
  defaultDays: z.int(),
  /** While it is on nothing is deleted, whatever else says so. */
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
