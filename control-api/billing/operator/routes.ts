import {
  addedPriceResponseSchema,
  addPriceSchema,
  type PriceShown,
  pricesResponseSchema,
  transferParamsSchema,
  transferReceivedResponseSchema,
  transfersResponseSchema,
} from "@parley/shared/contracts/operator.ts";
import { AppError } from "@parley/shared/errors.ts";
import { OPERATES } from "../../http/access/rules.ts";
import { userOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success } from "../../http/routes.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { recordTransfer } from "../payments/record-transfer.ts";
import { findPayment, listPendingTransfers } from "../payments/store.ts";
import { addPrice } from "../prices/add-price.ts";
import { readNamedPrices } from "../prices/store.ts";
import { assertThere } from "../wallet/credit.ts";
import { OPERATOR_ROUTE, type OperatorRoutesDeps } from "./deps.ts";
import { organizationRoutes } from "./organization-routes.ts";

/** `/api/operator`: the core of `scripts/billing.ts`, for the operators in the configuration. All of it is audited. */
export function operatorRoutes(app: Api, deps: OperatorRoutesDeps): void {
  priceRoutes(app, deps);
  organizationRoutes(app, deps);
  transferRoutes(app, deps);
}

function priceRoutes(app: Api, { database, clock, audit }: OperatorRoutesDeps): void {
  app.get(
    "/api/operator/prices",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "Read the price list",
        response: responses(200, pricesResponseSchema),
      },
    },
    async () => success({ currency: CURRENCY, prices: (await readNamedPrices(database.db)).map(toShown) }),
  );
  app.post(
    "/api/operator/prices",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "Add a price, from now on or later",
        body: addPriceSchema,
        response: responses(201, addedPriceResponseSchema),
      },
    },
    async (request, reply) => {
      const { orgId } = request.body;
      if (orgId) await assertThere(database.db, orgId);
      const id = await addPrice(database, request.body, new Date(clock.wallMs()));
      await audit.write({
        action: "operator.price_added",
        orgId: orgId || undefined,
        actor: { kind: "user", id: userOf(request).userId },
        client: clientOf(request),
        details: { id, ...request.body },
      });
      return reply.status(201).send(success({ id }));
    },
  );
}

type NamedPrice = Awaited<ReturnType<typeof readNamedPrices>>[number];

function toShown({ id, metric, vendor, orgId, orgName, micros, per, from }: NamedPrice): PriceShown {
  const about = { id, vendor, orgId, orgName, metric: metric as PriceShown["metric"] };
  return { ...about, amount: toDecimal(micros), per: Number(per), from: from.toISOString() };
}

function transferRoutes(app: Api, { database, clock, audit }: OperatorRoutesDeps): void {
  app.get(
    "/api/operator/transfers",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "List the bank transfers that were announced and have not come yet",
        response: responses(200, transfersResponseSchema),
      },
    },
    async () => {
      const pending = await listPendingTransfers(database.db);
      const transfers = pending.map(({ id, orgId, orgName, invoiceId, amount, createdAt }) => ({
        ...{ id, orgId, orgName, invoiceId },
        amount: toDecimal(amount),
        announcedAt: createdAt.toISOString(),
      }));
      return success({ transfers });
    },
  );
  app.post(
    "/api/operator/transfers/:paymentId/received",
    {
      config: { access: OPERATES },
      schema: {
        ...OPERATOR_ROUTE,
        summary: "Record that a bank transfer came",
        params: transferParamsSchema,
        response: responses(200, transferReceivedResponseSchema),
      },
    },
    async (request) => {
      const { paymentId } = request.params;
      if (!(await recordTransfer(database, { paymentId, at: new Date(clock.wallMs()) })))
        throw new AppError("conflict", "That transfer is already recorded.");
      await audit.write({
        action: "operator.transfer_received",
        orgId: (await findPayment(database.db, { id: paymentId }))?.orgId,
        actor: { kind: "user", id: userOf(request).userId },
        client: clientOf(request),
        details: { paymentId },
      });
      return success({ id: paymentId, received: true as const });
    },
  );
}
