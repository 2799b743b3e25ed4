import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { ACCOUNT_CARRIERS, type AccountCarrierName } from "./phone-carriers.ts";
import { initWebCallSchema } from "./sessions.ts";

/** Who carries phone calls. `loopback` is the built-in simulated phone and needs no account. */
export type CarrierName = "loopback" | AccountCarrierName;
export const CARRIERS = ["loopback", ...ACCOUNT_CARRIERS] as [CarrierName, ...CarrierName[]];

/** A number in the format of every carrier: "+" and 7 to 15 digits (ITU-T E.164). */
export const e164Schema = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, "must be E.164: a + and 7 to 15 digits, as in +12025550123");

/** Outbound call arguments. */
export const initiateCallSchema = z
  .strictObject({
    ...initWebCallSchema.shape,
    to: e164Schema,
    /** When a machine answers: report it and follow the agent's policy, or drop the call. */
    machineDetection: z.enum(["true", "hangup"]).optional(),
    /** One of the organization's numbers, or its id; the agent's first number when both are absent. */
    fromNumber: e164Schema.optional(),
    fromNumberId: z.string().min(1).max(64).optional(),
  })
  .refine(({ fromNumber, fromNumberId }) => fromNumber === undefined || fromNumberId === undefined, {
    message: "send fromNumber or fromNumberId, not both",
    path: ["fromNumber"],
  });
export type InitiateCall = z.infer<typeof initiateCallSchema>;

/**
 * The carrier's id of the leg. Null only in the answer to a repeated `Idempotency-Key` whose first request was cut
 * off while dialing, as long as the carrier has reported nothing about the call.
 */
const callSidSchema = z.string().nullable();

export const placedCallSchema = z.object({
  sessionId: z.string(),
  callId: z.string(),
  callSid: callSidSchema,
  /** `queued`; or the call's current status if the first request with this `Idempotency-Key` was cut off. */
  status: z.string(),
  fromNumber: z.string(),
  toNumber: z.string(),
});
export type PlacedCall = z.infer<typeof placedCallSchema>;
export const placedCallResponseSchema = wrapped(placedCallSchema);

/** Manual (softphone) call arguments. */
export const initManualCallSchema = z.strictObject({
  to: e164Schema,
  /** One of the organization's numbers; absent, with a user's token: the user's own number. */
  from: e164Schema.optional(),
  /** The member that the call is attributed to; absent: the requester. */
  userId: z.string().min(1).max(64).optional(),
});
export type InitManualCall = z.infer<typeof initManualCallSchema>;

export const manualCallSchema = z.object({
  sessionId: z.string(),
  callId: z.string(),
  callMode: z.literal("manual"),
  /** The softphone's URL, valid for a minute; its `ready` message lets a second device take over. */
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
    /** A 16-bit PCM WAV file, fetched for each play. */
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
  /** The agent that answers calls to the number; null: nobody does. */
  agentId: z.string().nullable(),
  /** The member the number is allocated to: their manual calls come from it. */
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
/** Answer of `/api/voice/numbers`, in the envelope of the dashboard API. */
export const numberResponseSchema = wrapped(phoneNumberSchema);
export const numbersResponseSchema = wrapped(numbersSchema);
export const numberDeletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });
