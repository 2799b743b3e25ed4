import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { channelWebhookSchema } from "./messaging.ts";

/** `/api/orgs/{orgId}/instagram`: Instagram accounts whose direct messages agents and people answer. */

const id = z.string().min(1).max(64);

export const connectInstagramSchema = z.strictObject({
  name: z.string().trim().min(1).max(128).optional(),
  /** Token of the professional account, with instagram_business_basic and instagram_business_manage_messages. */
  accessToken: z.string().trim().min(1).max(4_096),
  /** Secret of the Instagram app, with which Meta signs its webhooks. */
  appSecret: z.string().trim().min(8).max(256),
  /** The answering agent; without one, people answer. */
  agentId: id.nullable().optional(),
});
export type ConnectInstagram = z.infer<typeof connectInstagramSchema>;

export const instagramAccountSchema = z.object({
  id: z.string(),
  kind: z.literal("instagram"),
  name: z.string(),
  /** Starts with @; null until Instagram has reported it. */
  username: z.string().nullable(),
  /** Instagram's ID of the professional account. */
  accountId: z.string(),
  agentId: z.string().nullable(),
  /** `error`: see `lastError`; nothing can be sent. */
  status: z.enum(["active", "error"]),
  lastError: z.string().nullable(),
  /** When Instagram was last asked. */
  checkedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type InstagramAccount = z.infer<typeof instagramAccountSchema>;

export const instagramAccountsResponseSchema = wrapped(
  z.object({ channels: z.array(instagramAccountSchema), total: z.int() }),
);
export const instagramAccountResponseSchema = wrapped(instagramAccountSchema);
export const connectedInstagramResponseSchema = wrapped(
  instagramAccountSchema.extend({ webhook: channelWebhookSchema }),
);
