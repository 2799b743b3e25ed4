import {
  changePlanSchema,
  giveCreditSchema,
  type OperatedOrganization,
  operatedOrganizationResponseSchema,
  operatedOrgParamsSchema,
  organizationsQuerySchema,
  organizationsResponseSchema,
} from "@parley/shared/contracts/operator.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { OPERATES } from "../../http/access/rules.ts";
import { userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success } from "../../http/routes.ts";
import { CURRENCY, parseDecimal, toDecimal } from "../money.ts";
import { changePlan } from "../wallet/change-plan.ts";
import { giveCredit } from "../wallet/credit.ts";
import { type AccountShown, listAccounts } from "../wallet/list-accounts.ts";
import { OPERATOR_ROUTE, type OperatorRoutesDeps } from "./deps.ts";

/** `/api/operator/organizations`: each organization's standing, plan and credit. */
export function organizationRoutes(app: Api, deps: OperatorRoutesDeps): void {
  app.get(
    "/api/operator/organizations",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "List organizations with plan, state and balance",
        querystring: organizationsQuerySchema,
        response: responses(200, organizationsResponseSchema),
      },
    },
    async (request) => {
      const { limit } = request.query;
      const found = await listAccounts(deps.database.db, { ...request.query, limit: limit + 1 });
      const page = found.slice(0, limit);
      const next = found.length > limit ? (page.at(-1)?.orgId ?? null) : null;
      return success({ currency: CURRENCY, organizations: page.map(toShown), next });
    },
  );
  planRoute(app, deps);
  creditRoute(app, deps);
}

function planRoute(app: Api, { database, clock, audit }: OperatorRoutesDeps): void {
  app.put(
    "/api/operator/organizations/:orgId/plan",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "Let an organization pay before (prepaid) or after (postpaid)",
        params: operatedOrgParamsSchema,
        body: changePlanSchema,
        response: responses(200, operatedOrganizationResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = request.params;
      const { plan } = request.body;
      await changePlan(database, { orgId, plan, at: new Date(clock.wallMs()) });
      await audit.write({
        action: "operator.plan_changed",
        orgId,
        actor: { kind: "user", id: userOf(request).userId },
        client: clientOf(request),
        details: { plan },
      });
      return success(await readShown(database.db, orgId));
    },
  );
}

function creditRoute(app: Api, { database, clock, audit }: OperatorRoutesDeps): void {
  app.post(
    "/api/operator/organizations/:orgId/credits",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "Give an organization something to spend, once for each reason",
        params: operatedOrgParamsSchema,
        body: giveCreditSchema,
        response: responses(200, operatedOrganizationResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = request.params;
      const { amount, reason } = request.body;
      const micros = parseDecimal(amount);
      if (micros === undefined || micros === 0n)
        throw new AppError(
          "validation_failed",
          "amount must be dollars above 0 with at most six decimals, such as 25.00.",
        );
      const credit = { orgId, amount: micros, source: reason, at: new Date(clock.wallMs()) };
      if (!(await giveCredit(database, credit)))
        throw new AppError(
          "conflict",
          "This organization already got a credit for that reason. Use another reason.",
        );
      await audit.write({
        action: "operator.credit_given",
        orgId,
        actor: { kind: "user", id: userOf(request).userId },
        client: clientOf(request),
        details: { amount: toDecimal(micros), reason },
      });
      return success(await readShown(database.db, orgId));
    },
  );
}

async function readShown(db: Kysely<Tables>, orgId: string): Promise<OperatedOrganization> {
  const [account] = await listAccounts(db, { search: orgId, limit: 1 });
  if (account?.orgId !== orgId) throw new AppError("not_found", `There is no organization ${orgId}.`);
  return toShown(account);
}

function toShown({ orgId: id, name, plan, state, wallet, owed }: AccountShown): OperatedOrganization {
  return { id, name, plan, state, balance: toDecimal(wallet), owed: toDecimal(owed) };
}
