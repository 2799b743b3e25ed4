import { z } from "zod";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { pageLimit } from "./paging.ts";

/** `/api/orgs/{orgId}/whatsapp-cloud`: WhatsApp numbers with which agents and people write. */

const id = z.string().min(1).max(64);
const name = z.string().trim().min(1).max(128);
/** Meta's ids are numbers written as text. */
const metaId = z
  .string()
  .trim()
  .regex(/^\d{5,32}$/, "has to be digits only");
const accessToken = z.string().trim().min(1).max(4_096);
const appSecret = z.string().trim().min(8).max(256);

export const connectChannelSchema = z.strictObject({
  name: name.optional(),
  /** The phone number ID from the Meta app's dashboard; not the number itself. */
  phoneNumberId: metaId,
  /** The ID of the WhatsApp business account that owns the number. */
  businessAccountId: metaId,
  /** Token of a system user with whatsapp_business_messaging and whatsapp_business_management. */
  accessToken,
  /** Secret of the Meta app, with which Meta signs its webhooks. */
  appSecret,
  /** The answering agent; without one, people answer. */
  agentId: id.nullable().optional(),
});
export type ConnectChannel = z.infer<typeof connectChannelSchema>;

/** Omitted fields stay unchanged. */
export const updateChannelSchema = z.strictObject({
  name: name.optional(),
  agentId: id.nullable().optional(),
});
export type UpdateChannel = z.infer<typeof updateChannelSchema>;

/** Omitted fields stay unchanged; webhooks signed with the previous secret are accepted for a while. */
export const channelCredentialsSchema = z
  .strictObject({ accessToken: accessToken.optional(), appSecret: appSecret.optional() })
  .refine((given) => given.accessToken !== undefined || given.appSecret !== undefined, {
    message: "accessToken or appSecret is required",
  });
export type ChannelCredentials = z.infer<typeof channelCredentialsSchema>;

export const channelSchema = z.object({
  id: z.string(),
  kind: z.literal("whatsapp"),
  name: z.string(),
  /** Starts with + and the country code; null until WhatsApp has reported it. */
  phone: z.string().nullable(),
  verifiedName: z.string().nullable(),
  phoneNumberId: z.string(),
  businessAccountId: z.string(),
  /** The number belongs to the operator of this installation, who keeps its credentials. */
  managed: z.boolean(),
  agentId: z.string().nullable(),
  /** `error`: see `lastError`; nothing can be sent. */
  status: z.enum(["active", "error"]),
  lastError: z.string().nullable(),
  /** WhatsApp's rating of the number: GREEN, YELLOW, RED, or UNKNOWN. */
  quality: z.string().nullable(),
  /** WhatsApp's latest reports on the account, by field name. */
  health: z.record(z.string(), z.object({ value: z.unknown(), at: z.string() })),
  /** When WhatsApp was last asked. */
  checkedAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Channel = z.infer<typeof channelSchema>;

/** Values to enter at Meta so that messages arrive here. */
export const channelWebhookSchema = z.object({ callbackUrl: z.string(), verifyToken: z.string() });

export const channelParamsSchema = orgParamsSchema.extend({ channelId: id });
export const channelsResponseSchema = wrapped(z.object({ channels: z.array(channelSchema), total: z.int() }));
export const channelResponseSchema = wrapped(channelSchema);
export const connectedChannelResponseSchema = wrapped(
  // Null for a managed number: its operator enters them.
  channelSchema.extend({ webhook: channelWebhookSchema.nullable() }),
);
export const channelDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

/** `/api/orgs/{orgId}/whatsapp-hub`: WhatsApp conversations, whoever answers them. */

const mediaSchema = z.object({
  mimeType: z.string(),
  filename: z.string().nullable(),
  /** A recorded voice message. */
  isVoice: z.boolean(),
  sizeBytes: z.int().nullable(),
  /** Valid for an hour; null while the media are being downloaded, and when the download failed. */
  signedUrl: z.string().nullable(),
  expiresAt: z.string().nullable(),
  /** Why the download failed. */
  error: z.string().nullable(),
});

export const threadSchema = z.object({
  id: z.string(),
  channelId: z.string(),
  channelKind: z.enum(["whatsapp", "instagram"]),
  /** Starts with + and the country code; null for contacts who show only a name. */
  contactPhone: z.string().nullable(),
  contactName: z.string().nullable(),
  /** Who answers. */
  mode: z.enum(["agent", "member"]),
  /** The member who took the conversation over; also null when someone answers in Instagram's own app. */
  takenBy: z.string().nullable(),
  /** Why the agent's last answer failed; null: it did not. */
  trouble: z.string().nullable(),
  /** Messages that nobody has answered or read. */
  unread: z.int(),
  /** End of the window in which anything may be sent; later only templates. */
  windowEndsAt: z.string().nullable(),
  isWindowOpen: z.boolean(),
  /** The contact asked for no more messages: templates are not sent. */
  isOptedOut: z.boolean(),
  /** False until a contact who asked for no more messages has written again. */
  mayReply: z.boolean(),
  lastMessageAt: z.string(),
  /** Beginning of the newest message. */
  preview: z.string().nullable(),
});
export type Thread = z.infer<typeof threadSchema>;

export const messageSchema = z.object({
  id: z.string(),
  direction: z.enum(["in", "out"]),
  author: z.enum(["contact", "agent", "member", "key"]),
  type: z.string(),
  /** Masked by the PII policy. */
  body: z.string().nullable(),
  content: z.unknown(),
  media: mediaSchema.nullable(),
  /** Received messages: `received` or `pulling`; sent messages: how far they got. */
  status: z.string(),
  errors: z.array(z.object({ code: z.int().nullable(), message: z.string() })),
  wamid: z.string().nullable(),
  sentAt: z.string(),
});
export type ThreadMessage = z.infer<typeof messageSchema>;

const templateSchema = z.strictObject({
  name: z.string().trim().min(1).max(512),
  language: z.string().trim().min(2).max(16),
  /** Template parameters in the Cloud API's format. */
  components: z.array(z.record(z.string(), z.unknown())).max(20).default([]),
});
const text = z.string().trim().min(1).max(4_096);

/** A text or a template; outside the window only a template. */
export const sendMessageSchema = z
  .strictObject({ text: text.optional(), template: templateSchema.optional() })
  .refine((given) => (given.text === undefined) !== (given.template === undefined), {
    message: "one of text and template is required",
  });
export type SendMessage = z.infer<typeof sendMessageSchema>;

/** Writes to a contact by number, with or without an existing conversation. */
export const beginThreadSchema = z.strictObject({
  to: z
    .string()
    .trim()
    .regex(/^\+[1-9]\d{6,14}$/, "has to be a number with + and its country"),
  template: templateSchema,
});

export const threadParamsSchema = orgParamsSchema.extend({ threadId: id });
export const threadsQuerySchema = z.object({
  channelId: id.optional(),
  mode: z.enum(["agent", "member"]).optional(),
  /** The last one of the previous page. */
  before: id.optional(),
  limit: pageLimit(100),
});
export type ThreadsQuery = z.infer<typeof threadsQuerySchema>;
export const messagesQuerySchema = z.object({
  /** The oldest message of the previous page. */
  before: id.optional(),
  limit: pageLimit(100),
});
export const threadsResponseSchema = wrapped(z.object({ threads: z.array(threadSchema) }));
export const threadResponseSchema = wrapped(threadSchema);
export const messagesResponseSchema = wrapped(
  /** The newest messages, oldest first. */
  z.object({ messages: z.array(messageSchema) }),
);
export const messageQueuedResponseSchema = wrapped(z.object({ messageId: z.string(), threadId: z.string() }));
export const templatesResponseSchema = wrapped(
  z.object({
    templates: z.array(
      z.object({
        name: z.string(),
        language: z.string(),
        status: z.string(),
        category: z.string(),
        components: z.array(z.record(z.string(), z.unknown())),
      }),
    ),
  }),
);
