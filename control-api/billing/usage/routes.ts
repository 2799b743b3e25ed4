import type { Clock } from "@parley/shared/clock.ts";
import {
  type CallCost,
  callCostParamsSchema,
  callCostResponseSchema,
  type UsageBy,
  usageQuerySchema,
  usageResponseSchema,
} from "@parley/shared/contracts/billing.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import { ORG_READS } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import type { Reads } from "../../http/reads.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { readCallLines, readUsageLines, readUsageTotal, type UsageSpan } from "./store.ts";

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 400;

export interface UsageRoutesDeps {
  readonly reads: Reads;
  readonly clock: Clock;
}

/** `/api/orgs/{orgId}/usage`: what was used, and what it cost, for people. */
export function usageRoutes(app: Api, { reads, clock }: UsageRoutesDeps): void {
  app.get(
    "/api/orgs/:orgId/usage",
    {
      config: { access: ORG_READS },
      schema: {
        tags: ["billing"],
        security: USER_SECURITY,
        summary: "Read what was used and what it cost, by agent, channel, vendor or day",
        params: orgParamsSchema,
        querystring: usageQuerySchema,
        response: responses(200, usageResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const { by } = request.query;
      const span = spanOf(request.query, clock.wallMs());
      return success(await reads.run(member, ({ db }) => readUsage(db, member.orgId, { ...span, by })));
    },
  );
  app.get(
    "/api/orgs/:orgId/usage/calls/:sessionId",
    {
      config: { access: ORG_READS },
      schema: {
        tags: ["billing"],
        security: USER_SECURITY,
        summary: "Read what a call or chat used and what it cost, part by part",
        params: callCostParamsSchema,
        response: responses(200, callCostResponseSchema),
      },
    },
    async (request) => {
      const member = memberOf(request);
      const { sessionId } = request.params;
      return success(await reads.run(member, ({ db }) => readCallCost(db, member.orgId, sessionId)));
    },
  );
}

/** Throws `AppError` not_found. */
async function readCallCost(
  db: Parameters<typeof readUsageLines>[0],
  orgId: string,
  sessionId: string,
): Promise<CallCost> {
  const lines = await readCallLines(db, orgId, sessionId);
  if (!lines) throw new AppError("not_found", "There is no such call in this organization.");
  const total = lines.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  return {
    sessionId,
    currency: CURRENCY,
    lines: lines.map(({ metric, vendor, quantity, amount }) => ({
      ...{ metric, vendor, quantity: Number(quantity) },
      amount: toDecimal(BigInt(amount)),
    })),
    total: toDecimal(total),
  };
}

async function readUsage(
  db: Parameters<typeof readUsageLines>[0],
  orgId: string,
  asked: UsageSpan & { readonly by: UsageBy },
) {
  const lines = await readUsageLines(db, orgId, asked);
  const total = await readUsageTotal(db, orgId, asked);
  return {
    ...asked,
    currency: CURRENCY,
    lines: lines.map(({ key, name, metric, quantity, amount }) => ({
      key,
      name,
      metric,
      quantity: Number(quantity),
      amount: toDecimal(BigInt(amount)),
    })),
    total: toDecimal(total),
  };
}

/** Throws `AppError` validation_failed if the span is empty or too long. */
function spanOf(
  query: { readonly from?: string | undefined; readonly to?: string | undefined },
  nowMs: number,
) {
  const to = query.to ?? new Date(nowMs).toISOString().slice(0, 10);
  const from = query.from ?? `${to.slice(0, 7)}-01`;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  if (days < 0) throw new AppError("validation_failed", "from must not be later than to.");
  if (days > LONGEST_DAYS)
    throw new AppError("validation_failed", `Ask for at most ${LONGEST_DAYS} days: move from or to.`);
  return { from, to };
}
