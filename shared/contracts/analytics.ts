import { z } from "zod";
import { wrapped } from "./envelope.ts";

/** Call figures for an organization's overview. Text chats are counted separately. */

/** Calls made within a period. */
const totalsSchema = z.object({
  /** Finished and ongoing calls. */
  calls: z.int(),
  /** Calls that are over. */
  ended: z.int(),
  /** Finished calls in which someone spoke, or could have. */
  answered: z.int(),
  /** Finished calls that failed because of a carrier or Parley. */
  failed: z.int(),
  /** Total seconds for which the calls were live. */
  talkSecs: z.int(),
  /** Milliseconds from the caller's last sound to the agent's first, accurate to a twentieth; null without a turn. */
  responseP50Ms: z.int().nullable(),
  responseP95Ms: z.int().nullable(),
  chats: z.int(),
});
export type OverviewTotals = z.infer<typeof totalsSchema>;

export const overviewQuerySchema = z.object({
  /** Start of the reader's day, in steps of a quarter of an hour; midnight UTC when absent. */
  since: z.iso.datetime({ offset: true }).optional(),
});

export const overviewSchema = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Ongoing calls, whenever they began. */
  live: z.int(),
  /** From `since` to `until`. */
  today: totalsSchema,
  /**
   * The same span a day before: calls made by this time of that day, as it is not known which of them were already
   * over.
   */
  dayBefore: totalsSchema,
  /** Hourly figures from a day before `since`, oldest first; 48, or more when today has more than 24 hours. */
  hours: z.array(z.object({ at: z.iso.datetime(), calls: z.int(), failed: z.int() })),
  /** Today's agents, those with the most calls first; at most 50. `name` is null for a deleted agent. */
  agents: z.array(totalsSchema.extend({ agentId: z.string(), name: z.string().nullable(), live: z.int() })),
  /** The organization's setup progress. */
  setup: z.object({
    agents: z.int(),
    numbers: z.int(),
    members: z.int(),
    /** At least one agent has talked to someone by voice. */
    hasTalked: z.boolean(),
  }),
});
export type Overview = z.infer<typeof overviewSchema>;
export const overviewResponseSchema = wrapped(overviewSchema);

/** Finished calls of a period, counted by when they were made; includes text chats unless they are filtered out. */
const figuresSchema = z.object({
  calls: z.int(),
  /** Calls in which someone spoke, or could have. */
  answered: z.int(),
  failed: z.int(),
  talkSecs: z.int(),
  /** Null without a turn. */
  responseP50Ms: z.int().nullable(),
  responseP95Ms: z.int().nullable(),
});
export type CallFigures = z.infer<typeof figuresSchema>;

export const callAnalyticsQuerySchema = z.object({
  /** Start of the reader's first day or hour, in steps of a quarter of an hour. */
  from: z.iso.datetime({ offset: true }),
  /** At most 92 days after `from`. */
  to: z.iso.datetime({ offset: true }),
  step: z.enum(["day", "hour"]).default("day"),
  agentId: z.string().min(1).max(64).optional(),
  channel: z.string().min(1).max(32).optional(),
});

/** A value and its count. */
const countedSchema = z.object({ value: z.string(), times: z.int() });

export const callOutcomesQuerySchema = callAnalyticsQuerySchema.omit({ step: true });

/** How calls of a period ended, went, and were judged; each list has the most frequent first, at most 20. */
export const callOutcomesSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** `hangup` is a call that someone simply hung up. */
  endReasons: z.array(countedSchema),
  /** How often callers interrupted an agent. */
  interruptions: z.int(),
  /** Tools by name, with their calls and failures. */
  tools: z.array(z.object({ name: z.string(), calls: z.int(), failed: z.int() })),
  /** Sentiments of analyzed calls. */
  sentiments: z.array(countedSchema),
  dispositions: z.array(countedSchema),
  topics: z.array(countedSchema),
  /** Results for the criteria of the agents' rubrics. */
  qa: z.array(z.object({ key: z.string(), met: z.int(), missed: z.int() })),
});
export type CallOutcomes = z.infer<typeof callOutcomesSchema>;
export const callOutcomesResponseSchema = wrapped(callOutcomesSchema);

export const callAnalyticsSchema = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  totals: figuresSchema,
  /** Each day or hour, oldest first; a day has 24 hours even when clocks change. */
  points: z.array(figuresSchema.extend({ at: z.iso.datetime() })),
  /**
   * Agents with the most calls first; at most 50. `name` is null for a deleted agent, `agentId` empty for calls
   * without one.
   */
  agents: z.array(figuresSchema.extend({ agentId: z.string(), name: z.string().nullable() })),
  channels: z.array(figuresSchema.extend({ channel: z.string() })),
});
export type CallAnalytics = z.infer<typeof callAnalyticsSchema>;
export const callAnalyticsResponseSchema = wrapped(callAnalyticsSchema);
