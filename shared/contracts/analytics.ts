import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** Calls in figures, as a first look at an organization needs them. Text chats are counted by themselves. */

/** Calls of a span of time, by when they were made. */
const totalsSchema = z.object({
  /** Those that are over, and those that go on. */
  calls: z.int(),
  /** Of those that are over. */
  ended: z.int(),
  /** Of those that are over: somebody spoke, or could have. */
  answered: z.int(),
  /** Of those that are over: a carrier, or something of ours, failed. */
  failed: z.int(),
  /** Seconds for which they were live, in all. */
  talkSecs: z.int(),
  /** From the caller's last sound to the agent's first, in milliseconds, to a twentieth; null without a turn. */
  responseP50Ms: z.int().nullable(),
  responseP95Ms: z.int().nullable(),
  chats: z.int(),
});
export type OverviewTotals = z.infer<typeof totalsSchema>;

export const overviewQuerySchema = z.object({
  /** When today began for the reader; a quarter of an hour is the smallest step. Without it: at midnight, UTC. */
  since: z.iso.datetime({ offset: true }).optional(),
});

export const overviewSchema = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Calls that go on now, whenever they began. */
  live: z.int(),
  /** From `since` to `until`. */
  today: totalsSchema,
  /** As long, a day before: what was over at this time of the day is not known, so these are the calls made until then. */
  dayBefore: totalsSchema,
  /** The hours from a day before `since`, oldest first; 48 and more when today has more than 24. */
  hours: z.array(z.object({ at: z.iso.datetime(), calls: z.int(), failed: z.int() })),
  /** Of today, those with most calls first; at most 50. `name` is null for one that was deleted. */
  agents: z.array(totalsSchema.extend({ agentId: z.string(), name: z.string().nullable(), live: z.int() })),
  /** How far the organization has come. */
  setup: z.object({
    agents: z.int(),
    numbers: z.int(),
    members: z.int(),
    /** One of its agents has talked to somebody, by voice. */
    hasTalked: z.boolean(),
  }),
});
export type Overview = z.infer<typeof overviewSchema>;
export const overviewResponseSchema = wrapped(overviewSchema);

/** Calls of a span of time that are over, counted by when they were made; text chats among them where they are not filtered out. */
const figuresSchema = z.object({
  calls: z.int(),
  /** Somebody spoke, or could have. */
  answered: z.int(),
  failed: z.int(),
  talkSecs: z.int(),
  /** Null without a turn. */
  responseP50Ms: z.int().nullable(),
  responseP95Ms: z.int().nullable(),
});
export type CallFigures = z.infer<typeof figuresSchema>;

export const callAnalyticsQuerySchema = z.object({
  /** When the first day, or hour, began for the reader; a quarter of an hour is the smallest step. */
  from: z.iso.datetime({ offset: true }),
  /** At most 92 days later. */
  to: z.iso.datetime({ offset: true }),
  step: z.enum(["day", "hour"]).default("day"),
  agentId: z.string().min(1).max(64).optional(),
  channel: z.string().min(1).max(32).optional(),
});

/** A word, and how often it was counted. */
const countedSchema = z.object({ value: z.string(), times: z.int() });

export const callOutcomesQuerySchema = callAnalyticsQuerySchema.omit({ step: true });

/** How calls of a period ended, went and were judged; of each list the most frequent come first, at most 20. */
export const callOutcomesSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** `hangup` is a call that somebody just hung up. */
  endReasons: z.array(countedSchema),
  /** How often an agent was talked over. */
  interruptions: z.int(),
  /** Tools that were called, and how often they failed. */
  tools: z.array(z.object({ name: z.string(), calls: z.int(), failed: z.int() })),
  /** Of analyzed calls. */
  sentiments: z.array(countedSchema),
  dispositions: z.array(countedSchema),
  topics: z.array(countedSchema),
  /** Criteria of the agents' rubrics. */
  qa: z.array(z.object({ key: z.string(), met: z.int(), missed: z.int() })),
});
export type CallOutcomes = z.infer<typeof callOutcomesSchema>;
export const callOutcomesResponseSchema = wrapped(callOutcomesSchema);

export const callAnalyticsSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  totals: figuresSchema,
  /** Each day or hour, oldest first; a day has 24 hours, also when clocks are set. */
  points: z.array(figuresSchema.extend({ at: z.iso.datetime() })),
  /** Those with most calls first; at most 50. `name` is null for one that was deleted, `agentId` empty for calls without one. */
  agents: z.array(figuresSchema.extend({ agentId: z.string(), name: z.string().nullable() })),
  channels: z.array(figuresSchema.extend({ channel: z.string() })),
});
export type CallAnalytics = z.infer<typeof callAnalyticsSchema>;
export const callAnalyticsResponseSchema = wrapped(callAnalyticsSchema);
