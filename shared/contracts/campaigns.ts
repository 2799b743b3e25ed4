import { z } from "zod";
import { CAMPAIGN_STATES, OUTCOMES, TARGET_STATES } from "./campaign-states.ts";
import { MAX_CSV_CHARS, refusedRowSchema } from "./do-not-call.ts";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { beforeId, pageLimit } from "./paging.ts";

/** `/api/orgs/{orgId}/campaigns`: an agent's calls to many people. */

export const MAX_TARGETS_PER_REQUEST = 1_000;
const DAYS_OF_WEEK = 7;
const id = z.string().min(1).max(64);
const name = z.string().trim().min(1).max(128);
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "has to be a time as in 09:00");

/** When people may be called, in their local time. */
const hoursSchema = z
  .strictObject({
    /** 0 is Sunday. */
    days: z
      .array(
        z
          .int()
          .min(0)
          .max(DAYS_OF_WEEK - 1),
      )
      .min(1)
      .max(DAYS_OF_WEEK),
    from: timeOfDay,
    /** End of the hours, exclusive. */
    to: timeOfDay,
  })
  .refine(({ from, to }) => from < to, { message: "has to be later than from", path: ["to"] });
export type CallingHours = z.infer<typeof hoursSchema>;

const retrySchema = z.strictObject({
  /** Further calls after this outcome; 0: none. */
  times: z.int().min(0).max(10),
  afterMinutes: z.int().min(1).max(10_080),
});
export const retriesSchema = z.strictObject({
  no_answer: retrySchema.default({ times: 2, afterMinutes: 120 }),
  busy: retrySchema.default({ times: 3, afterMinutes: 15 }),
  voicemail: retrySchema.default({ times: 1, afterMinutes: 240 }),
  failed: retrySchema.default({ times: 1, afterMinutes: 10 }),
});

export const campaignSettingsSchema = z.strictObject({
  agentId: id,
  /** One of the organization's numbers; null: the agent's first one. */
  fromNumberId: id.nullable().default(null),
  hours: hoursSchema.default({ days: [1, 2, 3, 4, 5], from: "09:00", to: "20:00" }),
  callsPerMinute: z.int().min(1).max(600).default(10),
  /** Concurrent calls, over all processes. */
  maxLive: z.int().min(1).max(500).default(5),
  retries: retriesSchema.prefault({}),
  /** When a machine answers: `agent` follows the agent's policy, `hangup` drops the call without a word. */
  voicemail: z.enum(["agent", "hangup"]).default("agent"),
  /** A key with which the person called opts out of all further calls. */
  optOutKey: z
    .string()
    .regex(/^[0-9*#]$/, "has to be one key")
    .nullable()
    .default(null),
  /** Ends the campaign after this many answered calls. */
  stopAfterAnswered: z.int().min(1).nullable().default(null),
  /** Pauses the campaign after this many failures: something is wrong with the line or the list. */
  pauseAfterFailures: z.int().min(1).max(1_000).default(20),
  /** Nobody is called after this time. */
  endsAt: z.iso.datetime().nullable().default(null),
  /** Total minutes of talk for the campaign's calls; it pauses at this limit. */
  budgetMinutes: z.int().min(1).nullable().default(null),
  /** Budget in US dollars for the campaign's calls; it pauses when its finished calls have cost this much. */
  budgetUsd: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, "must be dollars as text, such as 25 or 12.50")
    .nullable()
    .default(null),
});
export type CampaignSettings = z.infer<typeof campaignSettingsSchema>;

export const createCampaignSchema = z.strictObject({ name, ...campaignSettingsSchema.shape });
export type CreateCampaign = z.infer<typeof createCampaignSchema>;
const settings = campaignSettingsSchema.shape;
/** Omitted fields stay unchanged; changes apply from the next call on. */
export const updateCampaignSchema = z.strictObject({
  name: name.optional(),
  agentId: id.optional(),
  fromNumberId: settings.fromNumberId.unwrap().optional(),
  hours: hoursSchema.optional(),
  callsPerMinute: settings.callsPerMinute.unwrap().optional(),
  maxLive: settings.maxLive.unwrap().optional(),
  retries: settings.retries.optional(),
  voicemail: settings.voicemail.unwrap().optional(),
  optOutKey: settings.optOutKey.unwrap().optional(),
  stopAfterAnswered: settings.stopAfterAnswered.unwrap().optional(),
  pauseAfterFailures: settings.pauseAfterFailures.unwrap().optional(),
  endsAt: settings.endsAt.unwrap().optional(),
  budgetMinutes: settings.budgetMinutes.unwrap().optional(),
  budgetUsd: settings.budgetUsd.unwrap().optional(),
});
export type UpdateCampaign = z.infer<typeof updateCampaignSchema>;

export const campaignTargetCountsSchema = z.object({
  total: z.int(),
  waiting: z.int(),
  calling: z.int(),
  done: z.int(),
  /** Outcomes of finished targets. */
  outcomes: z.partialRecord(z.enum(OUTCOMES), z.int()),
});
export type TargetCounts = z.infer<typeof campaignTargetCountsSchema>;

export const campaignSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATES),
  /** Why the campaign paused or ended by itself. */
  statusReason: z.string().nullable(),
  settings: campaignSettingsSchema,
  targets: campaignTargetCountsSchema,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type Campaign = z.infer<typeof campaignSchema>;

/** A campaign's progress. */
export const campaignProgressSchema = z.object({
  /** Figures by hour of the calls, oldest first; the last 168 hours with calls. */
  hours: z.array(z.object({ at: z.string(), dialed: z.int(), answered: z.int() })),
  dialed: z.int(),
  answered: z.int(),
  /** Ongoing calls. */
  live: z.int(),
  /** Total talk time of finished calls. */
  talkSecs: z.int(),
  /** Cost of the campaign's finished calls so far, in US dollars. */
  cost: z.string(),
});
export type CampaignProgress = z.infer<typeof campaignProgressSchema>;
export const campaignProgressResponseSchema = wrapped(campaignProgressSchema);

export const campaignParamsSchema = orgParamsSchema.extend({ campaignId: id });
export const campaignTargetParamsSchema = campaignParamsSchema.extend({ targetId: id });
export const campaignsQuerySchema = z.object({ before: beforeId("cmp_"), limit: pageLimit(100) });
export type CampaignsQuery = z.infer<typeof campaignsQuerySchema>;
export const campaignsResponseSchema = wrapped(z.object({ campaigns: z.array(campaignSchema) }));
export const campaignResponseSchema = wrapped(campaignSchema);
export const campaignDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

const cell = z.union([z.string().max(4_000), z.number(), z.boolean(), z.null()]);
/** Maps columns. Omitted ones are found by name (`phone`, `timezone`); all others become variables. */
export const mappingSchema = z.strictObject({
  phone: z.string().min(1).max(128).optional(),
  /** Column of an IANA time zone such as Europe/Berlin; absent: the number's country decides. */
  timezone: z.string().min(1).max(128).optional(),
  /** Call variables and the columns they are read from; all columns when absent. */
  variables: z.record(z.string().min(1).max(64), z.string().min(1).max(128)).optional(),
});
export type Mapping = z.infer<typeof mappingSchema>;

export const addTargetsSchema = z.strictObject({
  rows: z
    .array(z.record(z.string().min(1).max(128), cell))
    .min(1)
    .max(MAX_TARGETS_PER_REQUEST),
  mapping: mappingSchema.default({}),
});
export type AddTargets = z.infer<typeof addTargetsSchema>;
export const importTargetsSchema = z.strictObject({
  csv: z.string().min(1).max(MAX_CSV_CHARS),
  mapping: mappingSchema.default({}),
});
export type ImportTargets = z.infer<typeof importTargetsSchema>;

export const targetsAddedSchema = z.object({
  added: z.int(),
  duplicates: z.int(),
  /** Added targets that are on the do-not-call list and will not be called. */
  doNotCall: z.int(),
  /** The first hundred refused rows, including duplicates. */
  refused: z.array(refusedRowSchema),
  refusedTotal: z.int(),
});
export type TargetsAdded = z.infer<typeof targetsAddedSchema>;
export const targetsAddedResponseSchema = wrapped(targetsAddedSchema);

export const targetSchema = z.object({
  id: z.string(),
  phone: z.string(),
  variables: z.record(z.string(), z.string()),
  /** The target's time zone: an IANA name, or a country, in all of whose zones calling must be allowed. */
  zone: z.string(),
  state: z.enum(TARGET_STATES),
  outcome: z.enum(OUTCOMES).nullable(),
  attempts: z.int(),
  /** For waiting targets: the earliest time of the next call. */
  dueAt: z.string(),
  /** The call of the last attempt. */
  sessionId: z.string().nullable(),
  /** What went wrong in the last attempt, in words. */
  error: z.string().nullable(),
  /** For campaigns that write: how far the message came, such as delivered or read. */
  messageStatus: z.string().nullable(),
  /** For campaigns that write: the conversation that the message is in. */
  threadId: z.string().nullable(),
});
export type Target = z.infer<typeof targetSchema>;
export const targetsQuerySchema = z.object({
  state: z.enum(TARGET_STATES).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  /** Last target of the previous page. */
  after: id.optional(),
  limit: pageLimit(500),
});
export type TargetsQuery = z.infer<typeof targetsQuerySchema>;
export const targetsResponseSchema = wrapped(
  /** Targets in the order in which they were added. */
  z.object({ targets: z.array(targetSchema) }),
);
export const targetResponseSchema = wrapped(targetSchema);
