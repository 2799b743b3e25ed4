import { z } from "zod";

/** How a caller is handed over: at once, or after whoever takes over was told about them. */
export const TRANSFER_MODES = ["blind", "warm"] as const;
export type TransferMode = (typeof TRANSFER_MODES)[number];

/** A carrier reads it out: about half a minute. */
const MAX_WHISPER = 500;

/** Whom the far end of a call is connected to, and how. */
export const transferOrderSchema = z
  .strictObject({
    /** E.164. */
    to: z.string().regex(/^\+[1-9]\d{6,14}$/, "not E.164: a + and 7 to 15 digits, as in +12025550123"),
    mode: z.enum(TRANSFER_MODES).default("blind"),
    /** What the person called is told before the two are joined. Of a warm transfer only, and needed there. */
    whisper: z.string().trim().min(1).max(MAX_WHISPER).optional(),
  })
  .refine(({ mode, whisper }) => (mode === "warm") === (whisper !== undefined), {
    message: "send a whisper with mode warm, and with no other",
    path: ["whisper"],
  });
export type TransferOrder = z.infer<typeof transferOrderSchema>;

/**
 * Why a caller comes back. `declined`: hung up before being joined; `refused`: the carrier, or we, would not try;
 * `invalid`: the order itself is wrong.
 */
export const TRANSFER_FAILURES = ["busy", "no-answer", "declined", "failed", "refused", "invalid"] as const;
export type TransferFailure = (typeof TRANSFER_FAILURES)[number];

/** What the agent's brain is asked when a transfer came to nothing, as keys come to it: a turn nobody spoke. */
export const transferFailedQuery = (why: TransferFailure): string => `${TRANSFER_FAILED}${why}`;
const TRANSFER_FAILED = "TRANSFER FAILED: ";

/** Whether a turn tells that a transfer came to nothing. */
export const transferHasFailed = (query: string): boolean => query.startsWith(TRANSFER_FAILED);
