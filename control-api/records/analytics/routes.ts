import type { Clock } from "@parley/shared/clock.ts";
import {
  callAnalyticsQuerySchema,
  callAnalyticsResponseSchema,
  callOutcomesQuerySchema,
  callOutcomesResponseSchema,
  overviewQuerySchema,
  overviewResponseSchema,
} from "@parley/shared/contracts/analytics.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { ORG_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { readCallOutcomes } from "./outcomes.ts";
import { readOverview } from "./overview.ts";
import { readCallAnalytics } from "./period.ts";
import { QUARTER_MS } from "./sums.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MS_PER_SEC = 1_000;
const LONGEST_PERIOD_MS = 92 * DAY_MS;
const MOST_POINTS = 200;
/** A day exceeds 24 hours when clocks are set back, and a page may stay open a little past midnight. */
const LONGEST_DAY_MS = 27 * HOUR_MS;

interface AnalyticsDeps {
  readonly reads: Reads;
  readonly clock: Clock;
}

/** `/api/orgs/{orgId}/analytics`: call figures, for people. */
export function analyticsRoutes(app: Api, deps: AnalyticsDeps): void {
  overviewRoute(app, deps);
  periodRoute(app, deps);
  outcomesRoute(app, deps);
}

function periodRoute(app: Api, { reads }: AnalyticsDeps): void {
  app.get(
    "/api/orgs/:orgId/analytics/calls",
    {
      config: { access: ORG_READS },
      schema: {
        tags: ["analytics"],
        security: USER_SECURITY,
        summary: "Read the calls of a period in figures: by day or hour, agent and channel",
        params: orgParamsSchema,
        querystring: callAnalyticsQuerySchema,
        response: responses(200, callAnalyticsResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const { step, agentId, channel } = request.query;
      const stepMs = step === "day" ? DAY_MS : HOUR_MS;
      const span = spanOf(request.query);
      if ((span.to.getTime() - span.from.getTime()) / stepMs > MOST_POINTS) {
        throw new AppError(
          "validation_failed",
          `The range is too long. Choose one of at most ${MOST_POINTS} steps.`,
        );
      }
      const period = { ...span, stepSecs: stepMs / MS_PER_SEC, agentId, channel };
      return success(await reads.run(member, ({ db }) => readCallAnalytics(db, member.orgId, period)));
    },
  );
}

function outcomesRoute(app: Api, { reads }: AnalyticsDeps): void {
  app.get(
    "/api/orgs/:orgId/analytics/outcomes",
    {
      config: { access: ORG_READS },
      schema: {
        tags: ["analytics"],
        security: USER_SECURITY,
        summary: "Read how the calls of a period ended, went and were judged",
        params: orgParamsSchema,
        querystring: callOutcomesQuerySchema,
        response: responses(200, callOutcomesResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const { agentId, channel } = request.query;
      const period = { ...spanOf(request.query), agentId, channel };
      return success(await reads.run(member, ({ db }) => readCallOutcomes(db, member.orgId, period)));
    },
  );
}

/** Throws `validation_failed` if the span is too long or ends before it begins. */
function spanOf(query: { readonly from: string; readonly to: string }): { from: Date; to: Date } {
  const [fromMs, toMs] = [Date.parse(query.from), Date.parse(query.to)];
  if (toMs <= fromMs || toMs - fromMs > LONGEST_PERIOD_MS) {
    throw new AppError("validation_failed", "from must be before to, by at most 92 days.");
  }
  return { from: new Date(Math.floor(fromMs / QUARTER_MS) * QUARTER_MS), to: new Date(toMs) };
}

function overviewRoute(app: Api, { reads, clock }: AnalyticsDeps): void {
  app.get(
    "/api/orgs/:orgId/analytics/overview",
    {
      config: { access: ORG_READS },
      schema: {
        tags: ["analytics"],
        security: USER_SECURITY,
        summary: "Read today's calls in figures, beside those of the day before",
        params: orgParamsSchema,
        querystring: overviewQuerySchema,
        response: responses(200, overviewResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const nowMs = clock.wallMs();
      const since = startOfDay(request.query.since, nowMs);
      const now = new Date(nowMs);
      return success(await reads.run(member, ({ db }) => readOverview(db, member.orgId, { since, now })));
    },
  );
}

function startOfDay(since: string | undefined, nowMs: number): Date {
  if (since === undefined) return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS);
  const sinceMs = Date.parse(since);
  if (sinceMs > nowMs || nowMs - sinceMs > LONGEST_DAY_MS) {
    throw new AppError("validation_failed", "since must be the start of today: at most 27 hours ago.");
  }
  return new Date(Math.floor(sinceMs / QUARTER_MS) * QUARTER_MS);
}
