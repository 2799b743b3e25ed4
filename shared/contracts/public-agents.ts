import { z } from "zod";
import { parseUrl } from "../urls.ts";
import { wrapped } from "./envelope.ts";
import { pageLimit, queryInt } from "./paging.ts";

/** Agents open to strangers: `/a/{slug}`, and the snippet for embedding in other sites. */

export const LEAD_FIELDS = ["name", "email", "phone", "company"] as const;
export type LeadField = (typeof LEAD_FIELDS)[number];
export const PUBLIC_MODES = ["call", "chat"] as const;
const SLUG = /^[a-z0-9][a-z0-9-]{2,79}$/;
const accessCode = z.string().trim().min(4).max(32);

const origin = z
  .string()
  .max(200)
  .refine((text) => parseUrl(text)?.origin === text, {
    message: "must be a web origin such as https://shop.example",
  });

export const publicSettingsSchema = z.object({
  branding: z
    .strictObject({
      /** Absent: the agent's name. */
      title: z.string().trim().min(1).max(80).optional(),
      greeting: z.string().trim().min(1).max(500).optional(),
      accent: z
        .string()
        .regex(/^#[0-9a-f]{6}$/i, "a color such as #4f46e5")
        .optional(),
    })
    .default({}),
  /** Ways to talk to the agent. */
  modes: z.array(z.enum(PUBLIC_MODES)).min(1).max(2).default(["call", "chat"]),
  /** What visitors are asked before they begin. */
  lead: z
    .array(z.strictObject({ field: z.enum(LEAD_FIELDS), required: z.boolean().default(false) }))
    .max(LEAD_FIELDS.length)
    .default([]),
  /** Sites that may embed the agent; empty: its own page only. */
  embedOrigins: z.array(origin).max(20).default([]),
  limits: z
    .strictObject({
      /** Conversations per visitor and day; visitors are told apart by network address. */
      perVisitorPerDay: z.int().min(1).max(1_000).default(20),
      /** Conversations of all visitors per day: bounds what strangers may cost. */
      perDay: z.int().min(1).max(100_000).default(200),
      /** Calls of all visitors at the same time. */
      callsAtOnce: z.int().min(1).max(1_000).default(10),
      /** Messages per chat. */
      messagesPerChat: z.int().min(1).max(500).default(50),
    })
    .prefault({}),
});
export type PublicSettings = z.infer<typeof publicSettingsSchema>;

/** Omitted fields stay unchanged. */
export const changePublicAgentSchema = z.strictObject({
  isPublic: z.boolean().optional(),
  branding: publicSettingsSchema.shape.branding.unwrap().optional(),
  modes: publicSettingsSchema.shape.modes.unwrap().optional(),
  lead: publicSettingsSchema.shape.lead.unwrap().optional(),
  embedOrigins: publicSettingsSchema.shape.embedOrigins.unwrap().optional(),
  limits: publicSettingsSchema.shape.limits.unwrap().optional(),
  /** Code that visitors must type; null: none. */
  accessCode: accessCode.nullable().optional(),
});
export type ChangePublicAgent = z.infer<typeof changePublicAgentSchema>;

/** A link as apps see it. */
const link = {
  isPublic: z.boolean(),
  slug: z.string().nullable(),
  publicUrl: z.string().nullable(),
  embedSnippet: z.string().nullable(),
};
export const publicAgentSchema = z.object({
  ...link,
  ...publicSettingsSchema.shape,
  hasAccessCode: z.boolean(),
});
export type PublicAgent = z.infer<typeof publicAgentSchema>;
export const publicAgentResponseSchema = wrapped(publicAgentSchema);

export const publicLinkObjectSchema = z.object(link);
export const publicLinkResponseSchema = wrapped(publicLinkObjectSchema);
export const setPublicSchema = z.strictObject({ isPublic: z.boolean().default(true) });

export const leadsQuerySchema = z.object({
  limit: pageLimit(200, 50),
  offset: queryInt({ min: 0, max: 1_000_000, usual: 0 }),
});
export const leadSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  fields: z.partialRecord(z.enum(LEAD_FIELDS), z.string()),
  createdAt: z.iso.datetime(),
});
export type Lead = z.infer<typeof leadSchema>;
export const leadsResponseSchema = wrapped(z.object({ leads: z.array(leadSchema), total: z.int() }));

/** Initial data of an agent's page, or of a link's. */
export const visitorPageSchema = z.object({
  title: z.string(),
  greeting: z.string().nullable(),
  accent: z.string().nullable(),
  modes: z.array(z.enum(PUBLIC_MODES)),
  lead: publicSettingsSchema.shape.lead.unwrap(),
  needsCode: z.boolean(),
});
export type VisitorPage = z.infer<typeof visitorPageSchema>;
export const visitorPageResponseSchema = wrapped(visitorPageSchema);
export const slugParamsSchema = z.object({ slug: z.string().regex(SLUG) });

export const beginVisitSchema = z.strictObject({
  mode: z.enum(PUBLIC_MODES),
  code: z.string().max(64).optional(),
  lead: z.partialRecord(z.enum(LEAD_FIELDS), z.string().trim().min(1).max(200)).optional(),
});
export type BeginVisit = z.infer<typeof beginVisitSchema>;

/** A call has a socket; a chat has a client token for `POST /api/public/chat`. */
export const visitSchema = z.object({
  sessionId: z.string(),
  agentName: z.string(),
  websocketUrl: z.string().optional(),
  token: z.string().optional(),
});
export type Visit = z.infer<typeof visitSchema>;
export const visitResponseSchema = wrapped(visitSchema);

const linkToken = z.string().min(20).max(100);
export const readLinkSchema = z.strictObject({ token: linkToken });
export const openLinkSchema = beginVisitSchema.extend({ token: linkToken });
