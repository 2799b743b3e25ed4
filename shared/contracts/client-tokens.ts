import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { initWebCallSchema } from "./sessions.ts";

/** `POST /api/client-tokens`: everything a call may cost or show is fixed here (spec 1, rule 9). */

const DEFAULT_LIFETIME_SECS = 600;
const MAX_LIFETIME_SECS = 86_400;
const MAX_USES = 100;

const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
  message: "a web origin such as https://shop.example",
});

export const mintClientTokenSchema = z.strictObject({
  ...initWebCallSchema.shape,
  /** Lifetime in seconds, at most a day. */
  expiresInSecs: z.int().min(10).max(MAX_LIFETIME_SECS).default(DEFAULT_LIFETIME_SECS),
  /** How many calls it may start. */
  maxUses: z.int().min(1).max(MAX_USES).default(1),
  /** Pages that may redeem it; without it any may. */
  allowedOrigins: z.array(origin).min(1).max(20).optional(),
});
export type MintClientToken = z.infer<typeof mintClientTokenSchema>;

export const clientTokenResponseSchema = wrapped(z.object({ token: z.string(), expiresAt: z.string() }));
