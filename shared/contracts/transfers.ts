import { z } from "zod";

/** How a caller is transferred: immediately, or after the target was told about them. */
export const TRANSFER_MODES = ["blind", "warm"] as const;
export type TransferMode = (typeof TRANSFER_MODES)[number];

/** The carrier reads it aloud: about half a minute. */
const MAX_WHISPER = 500;

/** The target that the far end of a call is connected to, and how. */
export const transferOrderSchema = z
  .strictObject({
    /** E.164. */
    to: z.string().regex(/^\+[1-9]\d{6,14}$/, "must be E.164: a + and 7 to 15 digits, as in +12025550123"),
    mode: z.enum(TRANSFER_MODES).default("blind"),
    /** Told to the target before the two are joined. Required for a warm transfer, not allowed otherwise. */
    whisper: z.string().trim().min(1).max(MAX_WHISPER).optional(),
  })
  .refine(({ mode, whisper }) => (mode === "warm") === (whisper !== undefined), {
    message: "send a whisper with mode warm, and with no other",
    path: ["whisper"],
  });
export type TransferOrder = z.infer<typeof transferOrderSchema>;

/**
 * Why a caller comes back. `declined`: the target hung up before being joined; `refused`: the carrier or Parley would
 * not try; `invalid`: the order itself is wrong.
 */
export const TRANSFER_FAILURES = ["busy", "no-answer", "declined", "failed", "refused", "invalid"] as const;
export type TransferFailure = (typeof TRANSFER_FAILURES)[number];

/** The query to the agent's brain after a failed transfer, a turn nobody spoke, like that of pressed keys. */
export const transferFailedQuery = (why: TransferFailure): string => `${TRANSFER_FAILED}${why}`;
const TRANSFER_FAILED = "TRANSFER FAILED: ";

/** Whether a turn reports a failed transfer. */
export const transferHasFailed = (query: string): boolean => query.startsWith(TRANSFER_FAILED);
