import { z } from "zod";
import { CAMPAIGN_STATES } from "./campaign-states.ts";
import { campaignSettingsSchema, campaignTargetCountsSchema } from "./campaigns.ts";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/whatsapp-campaigns`: sends a template to many people. */

const id = z.string().min(1).max(64);

export const whatsAppSettingsSchema = z.strictObject({
  /** The sending number; its agent answers whoever writes back. */
  channelId: id,
  template: z.strictObject({
    name: z.string().trim().min(1).max(512),
    language: z.string().trim().min(2).max(16),
    /** Target columns that fill the body's {{1}}, {{2}}, and so on. */
    parameters: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/))
      .max(20)
      .default([]),
  }),
  hours: campaignSettingsSchema.shape.hours,
  messagesPerMinute: z.int().min(1).max(600).default(20),
  /** Pauses the campaign after this many refusals by WhatsApp in a row. */
  pauseAfterFailures: campaignSettingsSchema.shape.pauseAfterFailures,
  /** Nobody is written to after this time. */
  endsAt: campaignSettingsSchema.shape.endsAt,
});
export type WhatsAppSettings = z.infer<typeof whatsAppSettingsSchema>;

export const createWhatsAppCampaignSchema = z.strictObject({
  name: z.string().trim().min(1).max(128),
  ...whatsAppSettingsSchema.shape,
});
export type CreateWhatsAppCampaign = z.infer<typeof createWhatsAppCampaignSchema>;

export const whatsAppCampaignSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATES),
  /** Why the campaign paused or ended by itself. */
  statusReason: z.string().nullable(),
  settings: whatsAppSettingsSchema,
  targets: campaignTargetCountsSchema,
  /** Message progress as reported by WhatsApp: a read message was also delivered. */
  messages: z.object({ sent: z.int(), delivered: z.int(), read: z.int(), failed: z.int() }),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type WhatsAppCampaign = z.infer<typeof whatsAppCampaignSchema>;
export const whatsAppCampaignResponseSchema = wrapped(whatsAppCampaignSchema);
export const whatsAppCampaignsResponseSchema = wrapped(
  z.object({ campaigns: z.array(whatsAppCampaignSchema) }),
);
