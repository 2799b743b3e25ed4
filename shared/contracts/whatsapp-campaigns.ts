import { z } from "zod";
import { CAMPAIGN_STATES } from "./campaign-states.ts";
import { campaignSettingsSchema, campaignTargetCountsSchema } from "./campaigns.ts";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/whatsapp-campaigns`: a template to many people. */

const id = z.string().min(1).max(64);

export const whatsAppSettingsSchema = z.strictObject({
  /** The number that sends; its agent answers whoever writes back. */
  channelId: id,
  template: z.strictObject({
    name: z.string().trim().min(1).max(512),
    language: z.string().trim().min(2).max(16),
    /** Columns of the target that fill in the body's {{1}}, {{2}} and so on. */
    parameters: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/))
      .max(20)
      .default([]),
  }),
  hours: campaignSettingsSchema.shape.hours,
  messagesPerMinute: z.int().min(1).max(600).default(20),
  /** Pauses it: WhatsApp refuses one after the other. */
  pauseAfterFailures: campaignSettingsSchema.shape.pauseAfterFailures,
  /** Nobody is written to after that. */
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
  /** Why it paused or ended by itself. */
  statusReason: z.string().nullable(),
  settings: whatsAppSettingsSchema,
  targets: campaignTargetCountsSchema,
  /** How far the messages came, as WhatsApp told: one that was read was delivered, too. */
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
