import { z } from "zod";
import { CAMPAIGN_STATES } from "./campaign-states.ts";
import { campaignSettingsSchema, campaignTargetCountsSchema } from "./campaigns.ts";
import { wrapped } from "./envelope.ts";

/** `/api/orgs/{orgId}/whatsapp-campaigns`: sends a template to many people. */

const id = z.string().min(1).max(64);
const variable = z
  .string()
  .min(1)
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, "must be letters, digits and _, at most 64");
/** A target's variable, for {{1}}, {{2}} and so on in their order; or for a template with named blanks, one by its name. */
const blankSchema = z.union([variable, z.strictObject({ name: z.string().min(1).max(128), variable })]);
export type Blank = z.infer<typeof blankSchema>;

export const whatsAppSettingsSchema = z.strictObject({
  /** The sending number; its agent answers whoever writes back. */
  channelId: id,
  template: z.strictObject({
    name: z.string().trim().min(1).max(512),
    language: z.string().trim().min(2).max(16),
    /** What fills the body's blanks. */
    parameters: z.array(blankSchema).max(20).default([]),
    /** What fills the blank of a header of text. */
    header: blankSchema.nullable().default(null),
  }),
  hours: campaignSettingsSchema.shape.hours,
  messagesPerMinute: z.int().min(1).max(600).default(20),
  /** Pauses the campaign after this many refusals by WhatsApp in a row. */
  pauseAfterFailures: campaignSettingsSchema.shape.pauseAfterFailures,
  /** Nobody is written to after this time. */
  endsAt: campaignSettingsSchema.shape.endsAt,
  /** Budget in US dollars for all of its messages; it pauses before it exceeds this. */
  budgetUsd: campaignSettingsSchema.shape.budgetUsd,
});
export type WhatsAppSettings = z.infer<typeof whatsAppSettingsSchema>;

export const createWhatsAppCampaignSchema = z.strictObject({
  name: z.string().trim().min(1).max(128),
  ...whatsAppSettingsSchema.shape,
});
export type CreateWhatsAppCampaign = z.infer<typeof createWhatsAppCampaignSchema>;

/** Omitted fields stay unchanged; changes apply from the next message on. */
export const updateWhatsAppCampaignSchema = z.strictObject({
  name: createWhatsAppCampaignSchema.shape.name.optional(),
  channelId: id.optional(),
  template: whatsAppSettingsSchema.shape.template.optional(),
  hours: whatsAppSettingsSchema.shape.hours.unwrap().optional(),
  messagesPerMinute: whatsAppSettingsSchema.shape.messagesPerMinute.unwrap().optional(),
  pauseAfterFailures: whatsAppSettingsSchema.shape.pauseAfterFailures.unwrap().optional(),
  endsAt: whatsAppSettingsSchema.shape.endsAt.unwrap().optional(),
  budgetUsd: whatsAppSettingsSchema.shape.budgetUsd.unwrap().optional(),
});
export type UpdateWhatsAppCampaign = z.infer<typeof updateWhatsAppCampaignSchema>;

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
  /** What its messages have cost, in US dollars. */
  cost: z.string(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type WhatsAppCampaign = z.infer<typeof whatsAppCampaignSchema>;
export const whatsAppCampaignResponseSchema = wrapped(whatsAppCampaignSchema);
export const whatsAppCampaignsResponseSchema = wrapped(
  z.object({ campaigns: z.array(whatsAppCampaignSchema) }),
);
