import { z } from "zod";
import { CAMPAIGN_STATES, OUTCOMES, TARGET_STATES } from "./campaign-states.ts";
import { MAX_CSV_CHARS, refusedRowSchema } from "./do-not-call.ts";
import { wrapped } from "./envelope.ts";
import { orgParamsSchema } from "./organizations.ts";
import { pageLimit } from "./paging.ts";

/** `/api/orgs/{orgId}/campaigns`: calls of an agent to many people. */

export const MAX_TARGETS_PER_REQUEST = 1_000;
const DAYS_OF_WEEK = 7;
const id = z.string().min(1).max(64);
const name = z.string().trim().min(1).max(128);
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "has to be a time as in 09:00");

/** When people may be called, by the clock where they are. */
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
    /** Nobody is called at this minute any more. */
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
  /** One of the organization's numbers; the agent's first one when null. */
  fromNumberId: id.nullable().default(null),
  hours: hoursSchema.default({ days: [1, 2, 3, 4, 5], from: "09:00", to: "20:00" }),
  callsPerMinute: z.int().min(1).max(600).default(10),
  /** Calls that go on at once, over all processes. */
  maxLive: z.int().min(1).max(500).default(5),
  retries: retriesSchema.prefault({}),
  /** A machine that answers: what the agent does about machines, or nothing is said and the call dropped. */
  voicemail: z.enum(["agent", "hangup"]).default("agent"),
  /** A key that whoever is called presses to be called never again. */
  optOutKey: z
    .string()
    .regex(/^[0-9*#]$/, "has to be one key")
    .nullable()
    .default(null),
  /** Ends the campaign. */
  stopAfterAnswered: z.int().min(1).nullable().default(null),
  /** Pauses it: something is wrong with the line, or with the list. */
  pauseAfterFailures: z.int().min(1).max(1_000).default(20),
  /** Nobody is called after that. */
  endsAt: z.iso.datetime().nullable().default(null),
  /** Minutes of talk that all its calls together may take; it pauses then. */
  budgetMinutes: z.int().min(1).nullable().default(null),
  /** US dollars that its calls together may cost; it pauses when those that are over have cost as much. */
  budgetUsd: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/, "dollars as text, such as 25 or 12.50")
    .nullable()
    .default(null),
});
export type CampaignSettings = z.infer<typeof campaignSettingsSchema>;

export const createCampaignSchema = z.strictObject({ name, ...campaignSettingsSchema.shape });
export type CreateCampaign = z.infer<typeof createCampaignSchema>;
const settings = campaignSettingsSchema.shape;
/** What is left out stays as it is; what is changed holds from the next call on. */
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
  /** Of those that are done. */
  outcomes: z.partialRecord(z.enum(OUTCOMES), z.int()),
});
export type TargetCounts = z.infer<typeof campaignTargetCountsSchema>;

export const campaignSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(CAMPAIGN_STATES),
  /** Why it paused or ended by itself. */
  statusReason: z.string().nullable(),
  settings: campaignSettingsSchema,
  targets: campaignTargetCountsSchema,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type Campaign = z.infer<typeof campaignSchema>;

/** How a campaign goes. */
export const campaignProgressSchema = z.object({
  /** By the hour in which people were called, the oldest first; the last 168 hours with calls. */
  hours: z.array(z.object({ at: z.string(), dialed: z.int(), answered: z.int() })),
  dialed: z.int(),
  answered: z.int(),
  /** Calls that go on. */
  live: z.int(),
  /** Of all calls that are over. */
  talkSecs: z.int(),
  /** What its calls cost so far, in US dollars; a call is counted once it is over. */
  cost: z.string(),
});
export type CampaignProgress = z.infer<typeof campaignProgressSchema>;
export const campaignProgressResponseSchema = wrapped(campaignProgressSchema);

export const campaignParamsSchema = orgParamsSchema.extend({ campaignId: id });
export const campaignTargetParamsSchema = campaignParamsSchema.extend({ targetId: id });
export const campaignsQuerySchema = z.object({ before: id.optional(), limit: pageLimit(100) });
export type CampaignsQuery = z.infer<typeof campaignsQuerySchema>;
export const campaignsResponseSchema = wrapped(z.object({ campaigns: z.array(campaignSchema) }));
export const campaignResponseSchema = wrapped(campaignSchema);
export const campaignDeletedResponseSchema = wrapped(z.object({ id: z.string() }));

const cell = z.union([z.string().max(4_000), z.number(), z.boolean(), z.null()]);
/** Which column is what. What is left out is found by its name: `phone`, `timezone`; all others become variables. */
export const mappingSchema = z.strictObject({
  phone: z.string().min(1).max(128).optional(),
  /** An IANA name, as in Europe/Berlin; the number's country says it otherwise. */
  timezone: z.string().min(1).max(128).optional(),
  /** Variables of the call by the column they are read from; all columns when absent. */
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
  /** Among those added: they are on the do-not-call list, and will not be called. */
  doNotCall: z.int(),
  /** The first hundred that were not taken, duplicates too. */
  refused: z.array(refusedRowSchema),
  refusedTotal: z.int(),
});
export type TargetsAdded = z.infer<typeof targetsAddedSchema>;
export const targetsAddedResponseSchema = wrapped(targetsAddedSchema);

export const targetSchema = z.object({
  id: z.string(),
  phone: z.string(),
  variables: z.record(z.string(), z.string()),
  /** Where the clock is read: an IANA name, or a country, in all of whose zones it has to be time. */
  zone: z.string(),
  state: z.enum(TARGET_STATES),
  outcome: z.enum(OUTCOMES).nullable(),
  attempts: z.int(),
  /** Of those that wait: not before. */
  dueAt: z.string(),
  /** The call of its last attempt. */
  sessionId: z.string().nullable(),
});
export type Target = z.infer<typeof targetSchema>;
export const targetsQuerySchema = z.object({
  state: z.enum(TARGET_STATES).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  /** The last of the page before. */
  after: id.optional(),
  limit: pageLimit(500),
});
export type TargetsQuery = z.infer<typeof targetsQuerySchema>;
export const targetsResponseSchema = wrapped(
  /** In the order in which they were added. */
  z.object({ targets: z.array(targetSchema) }),
);
export const targetResponseSchema = wrapped(targetSchema);
