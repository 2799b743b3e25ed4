import { z } from "zod";
import { knownEventsSchema } from "./webhooks.ts";

/** `/api/v1/listeners`: a terminal that fetches its webhooks, for receivers unreachable from outside. */

const MAX_WAIT_SECS = 25;
const MAX_ANSWER_CHARS = 4_096;

export const createListenerSchema = z
  .strictObject({
    /** Absent or empty: all events. */
    events: knownEventsSchema.optional(),
    agent_id: z.string().min(1).max(64).optional(),
    include_recording: z.boolean().default(false),
    include_transcript: z.boolean().default(false),
    /** Signs the deliveries; generated when absent. 24 to 64 bytes, in the form of Standard Webhooks. */
    signing_secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/, "whsec_ and 24 to 64 bytes in base64")
      .optional(),
  })
  .nullish();
export type CreateListener = NonNullable<z.infer<typeof createListenerSchema>>;

export const listenerCreatedSchema = z.object({
  id: z.string(),
  /** Shown once. */
  signing_secret: z.string(),
  /** Expiry unless the listener claims or reports before; RFC 3339. */
  expires_at: z.string(),
});

export const listenerParamsSchema = z.object({ id: z.string().min(1).max(64) });
export const listenerDeletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });

export const claimQuerySchema = z.strictObject({
  /** Seconds to wait for a due delivery. */
  wait: z.coerce.number().int().min(0).max(MAX_WAIT_SECS).default(0),
});
export const claimedSchema = z.object({
  /** Returned with each report to identify the claim. */
  claim_id: z.string(),
  /** Oldest first; empty when nothing was due in time. */
  deliveries: z.array(
    z.object({
      id: z.string(),
      event: z.string(),
      /** The signed bytes; post them unchanged. */
      body: z.string(),
      /** Number of the attempt about to be made, from 1. */
      attempt: z.int(),
      /** All headers a receiver would get. */
      headers: z.record(z.string(), z.string()),
    }),
  ),
});
export type Claimed = z.infer<typeof claimedSchema>;

export const reportParamsSchema = listenerParamsSchema.extend({ deliveryId: z.string().min(1).max(64) });
/** What the local receiver answered, or why it did not. */
export const reportSchema = z
  .strictObject({
    claim_id: z.string().min(1).max(64),
    status: z.int().min(100).max(599).optional(),
    /** Beginning of the receiver's answer. */
    body: z.string().max(MAX_ANSWER_CHARS).optional(),
    error: z.string().min(1).max(500).optional(),
    duration_ms: z.int().min(0).max(3_600_000),
  })
  .refine(({ status, error }) => (status === undefined) !== (error === undefined), {
    message: "send status when the receiver answered, error when it did not",
  });
export type Report = z.infer<typeof reportSchema>;
export const reportedSchema = z.object({
  id: z.string(),
  status: z.enum(["delivered", "failed", "dead"]),
  attempt: z.int(),
  /** Seconds until the next attempt; null when there is none. */
  retry_in_secs: z.int().nullable(),
});
export type Reported = z.infer<typeof reportedSchema>;
