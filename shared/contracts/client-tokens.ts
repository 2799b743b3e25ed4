import { z } from "zod";
import { parseUrl } from "../urls.ts";
import { wrapped } from "./envelope.ts";
import { initWebCallSchema } from "./sessions.ts";

/** `POST /api/client-tokens`: fixes everything that a call or chat may cost or show. */

const DEFAULT_LIFETIME_SECS = 600;
const MAX_LIFETIME_SECS = 86_400;
const MAX_USES = 100;

const origin = z.string().refine((text) => parseUrl(text)?.origin === text, {
  message: "must be a web origin such as https://shop.example",
});

const DEFAULT_MAX_MESSAGES = 100;

const fields = z.strictObject({
  ...initWebCallSchema.shape,
  /** What the token is for: calls, or one chat (`POST /api/public/chat`). */
  mode: z.enum(["call", "chat"]).default("call"),
  /** Lifetime in seconds, at most a day. */
  expiresInSecs: z.int().min(10).max(MAX_LIFETIME_SECS).default(DEFAULT_LIFETIME_SECS),
  /** How many calls the token may start. */
  maxUses: z.int().min(1).max(MAX_USES).default(1),
  /** Origins of pages that may redeem the token; absent: any. */
  allowedOrigins: z.array(origin).min(1).max(20).optional(),
  /** How many messages the chat may have. */
  maxMessages: z.int().min(1).max(1_000).optional(),
});

export const mintClientTokenSchema = fields
  .refine(({ mode, maxMessages }) => mode === "chat" || maxMessages === undefined, {
    message: "is for chats: send mode chat with it",
    path: ["maxMessages"],
  })
  .refine(({ mode, firstResponse }) => mode === "call" || firstResponse === undefined, {
    message: "is for calls: in a chat the end user writes first",
    path: ["firstResponse"],
  })
  .refine(({ mode, maxUses }) => mode === "call" || maxUses === 1, {
    message: "is for calls: a token is good for one chat",
    path: ["maxUses"],
  })
  .transform(({ maxMessages, ...rest }) => ({
    ...rest,
    maxMessages: rest.mode === "chat" ? (maxMessages ?? DEFAULT_MAX_MESSAGES) : null,
  }));
export type MintClientToken = z.infer<typeof mintClientTokenSchema>;

export const clientTokenResponseSchema = wrapped(z.object({ token: z.string(), expiresAt: z.string() }));
