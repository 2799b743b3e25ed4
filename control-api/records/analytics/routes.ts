import type { Clock } from "@parley/shared/clock.ts";
import {
  callAnalyticsQuerySchema,
  callAnalyticsResponseSchema,
  overviewQuerySchema,
  overviewResponseSchema,
} from "@parley/shared/contracts/analytics.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { ORG_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { readOverview } from "./overview.ts";
import { readCallAnalytics } from "./period.ts";

const HOUR_MS = 3_600_000;
const QUARTER_MS = HOUR_MS / 4;
const DAY_MS = 24 * HOUR_MS;
const MS_PER_SEC = 1_000;
const LONGEST_PERIOD_MS = 92 * DAY_MS;
const MOST_POINTS = 200;
/** A day is longer than 24 hours when clocks are set back, and a page may be open a little past midnight. */
const LONGEST_DAY_MS = 27 * HOUR_MS;

interface AnalyticsDeps {
  readonly reads: Reads;
  readonly clock: Clock;
}

/** `/api/orgs/{orgId}/analytics`: calls in figures, for people. */
export function analyticsRoutes(app: Api, deps: AnalyticsDeps): void {
  overviewRoute(app, deps);
  periodRoute(app, deps);
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
      const [fromMs, toMs] = [Date.parse(request.query.from), Date.parse(request.query.to)];
      const stepMs = step === "day" ? DAY_MS : HOUR_MS;
      if (toMs <= fromMs || toMs - fromMs > LONGEST_PERIOD_MS || (toMs - fromMs) / stepMs > MOST_POINTS) {
        const message = `Send a from that is before to, by at most 92 days, and ${MOST_POINTS} steps.`;
        throw new AppError("validation_failed", message);
      }
      const from = new Date(Math.floor(fromMs / QUARTER_MS) * QUARTER_MS);
      const period = { from, to: new Date(toMs), stepSecs: stepMs / MS_PER_SEC, agentId, channel };
      return success(await reads.run(member, ({ db }) => readCallAnalytics(db, member.orgId, period)));
    },
  );
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
    throw new AppError("validation_failed", "Send as since when today began: at most 27 hours ago.");
  }
  return new Date(Math.floor(sinceMs / QUARTER_MS) * QUARTER_MS);
}
