import { z } from "zod";

/** Rounds of both sides. */
export const ROUNDS = 3;
/** The fastest a campaign may be. */
export const CALLS_PER_MINUTE = 600;
/** From a campaign's start to the measurement: the first people have answered by then. */
export const LEAD_IN_MS = 4_000;
/** Turns that a campaign catches up on when it goes on (`control-api/campaigns/runner/deal.ts`). */
const CATCH_UP_MS = 2_000;
const MINUTE_MS = 60_000;
/** Enough for windows of 9 s. */
const FEWEST_TARGETS = 450;

/** How many callers talk, and how many people the campaign calls, from the environment; the defaults fit two cores. */
export const SIZE = z
  .object({
    CAMPAIGN_BENCH_CALLS: z.coerce.number().int().min(1).max(1_000).default(40),
    CAMPAIGN_BENCH_TARGETS: z.coerce.number().int().min(FEWEST_TARGETS).max(20_000).default(900),
  })
  .transform(({ CAMPAIGN_BENCH_CALLS: calls, CAMPAIGN_BENCH_TARGETS: targets }) => ({ calls, targets }))
  .parse(process.env);

/** Length of each measurement: all rounds together use up the targets, and no more. */
export const WINDOW_MS = (SIZE.targets / ROUNDS / CALLS_PER_MINUTE) * MINUTE_MS - LEAD_IN_MS - CATCH_UP_MS;
