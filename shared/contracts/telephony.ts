import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "./phone-carriers.ts";
import { initWebCallSchema } from "./sessions.ts";

/** Who carries phone calls. `loopback` is the built-in simulated phone: it needs no account. */
export type CarrierName = "loopback" | AccountCarrierName;
export const CARRIERS = ["loopback", ...ACCOUNT_CARRIERS] as [CarrierName, ...CarrierName[]];

/** A number as every carrier takes it, "+" and 7 to 15 digits (ITU-T E.164). */
export const e164Schema = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "not E.164: a + and 7 to 15 digits, as in +12025550123");

/** Outbound call arguments. */
export const initiateCallSchema = z
  .strictObject({
    ...initWebCallSchema.shape,
    to: e164Schema,
    /** Of a machine that answers: report it and follow the agent's policy, or drop the call. */
    machineDetection: z.enum(["true", "hangup"]).optional(),
    /** One of the organization's numbers, or its id; its first one for this agent when both are absent. */
    fromNumber: e164Schema.optional(),
    fromNumberId: z.string().min(1).max(64).optional(),
  })
  .refine(({ fromNumber, fromNumberId }) => fromNumber === undefined || fromNumberId === undefined, {
    message: "send fromNumber or fromNumberId, not both",
    path: ["fromNumber"],
  });
export type InitiateCall = z.infer<typeof initiateCallSchema>;

/**
 * The carrier's id of the leg. Null only in the answer to a repeated `Idempotency-Key` whose first request broke off
 * while it dialed, as long as the carrier has told nothing of the call.
 */
const callSidSchema = z.string().nullable();

export const placedCallSchema = z.object({
  sessionId: z.string(),
  callId: z.string(),
  callSid: callSidSchema,
  /** `queued`; where the call is now when the first request with this `Idempotency-Key` broke off. */
  status: z.string(),
  fromNumber: z.string(),
  toNumber: z.string(),
});
export type PlacedCall = z.infer<typeof placedCallSchema>;
export const placedCallResponseSchema = wrapped(placedCallSchema);

/** Manual (softphone) call arguments. */
export const initManualCallSchema = z.strictObject({
  to: e164Schema,
  /** One of the organization's numbers; with a user's token their own one when absent. */
  from: e164Schema.optional(),
  /** The member it is counted to; whoever asks when absent. */
  userId: z.string().min(1).max(64).optional(),
});
export type InitManualCall = z.infer<typeof initManualCallSchema>;

export const manualCallSchema = z.object({
  sessionId: z.string(),
  callId: z.string(),
  callMode: z.literal("manual"),
  /** The softphone's, good for a minute; by its `ready` message a second device may take over. */
  websocketUrl: z.string(),
  callSid: callSidSchema,
  fromNumber: z.string(),
  toNumber: z.string(),
});
export type ManualCallPlaced = z.infer<typeof manualCallSchema>;
export const manualCallResponseSchema = wrapped(manualCallSchema);

/** What to play into a manual call. */
export const playSchema = z
  .strictObject({
    trackId: z.string().min(1).max(64).optional(),
    /** Of a 16-bit PCM WAV file, fetched for each play. */
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_048)
      .optional(),
  })
  .refine(({ trackId, url }) => (trackId === undefined) !== (url === undefined), {
    message: "send exactly one of trackId and url",
    path: ["url"],
  });
export const playedResponseSchema = wrapped(z.object({ sessionId: z.string(), durationMs: z.int().min(0) }));

export const transferredResponseSchema = wrapped(
  z.object({ sessionId: z.string(), to: z.string(), status: z.literal("transferring") }),
);

/** A number of an organization. */
export const phoneNumberSchema = z.object({
  id: z.string(),
  number: z.string(),
  label: z.string(),
  carrier: z.enum(CARRIERS),
  /** Answers calls to it; null: nobody does. */
  agentId: z.string().nullable(),
  /** The member it is allocated to: their manual calls come from it. */
  userId: z.string().nullable(),
  createdAt: z.string(),
});
export type PhoneNumber = z.infer<typeof phoneNumberSchema>;
export const createNumberSchema = z.strictObject({
  number: e164Schema,
  carrier: z.enum(CARRIERS).default("loopback"),
  label: z.string().max(128).default(""),
  agentId: z.string().min(1).max(64).nullable().default(null),
  userId: z.string().min(1).max(64).nullable().default(null),
});
export type CreateNumber = z.infer<typeof createNumberSchema>;
export const updateNumberSchema = z.strictObject({
  label: z.string().max(128).optional(),
  agentId: z.string().min(1).max(64).nullable().optional(),
  userId: z.string().min(1).max(64).nullable().optional(),
});
export type UpdateNumber = z.infer<typeof updateNumberSchema>;
export const numberParamsSchema = z.object({ id: z.string().min(1).max(64) });
export const numbersSchema = z.object({ numbers: z.array(phoneNumberSchema), total: z.int() });
/** Of `/api/voice/numbers`, in the envelope of the dashboard API. */
export const numberResponseSchema = wrapped(phoneNumberSchema);
export const numbersResponseSchema = wrapped(numbersSchema);
export const numberDeletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });
