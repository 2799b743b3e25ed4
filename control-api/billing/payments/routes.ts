import { invoiceParamsSchema } from "@parley/shared/contracts/invoices.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import {
  autoTopUpResponseSchema,
  beginTopUpSchema,
  paymentBegunResponseSchema,
  paymentsResponseSchema,
  putAutoTopUpSchema,
} from "@parley/shared/contracts/payments.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import { BILLING_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { clientOf } from "../../http/plugins/client.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import type { Audit } from "../../identity/audit/audit.ts";
import { parseDecimal, toDecimal } from "../money.ts";
import { type BeginDeps, beginInvoicePayment, beginTopUp } from "./begin-payment.ts";
import { findMethod, type PaymentMethod, setAutoTopUp } from "./method-store.ts";
import type { Begun } from "./provider.ts";
import { listPayments } from "./store.ts";

export interface PaymentRoutesDeps extends BeginDeps {
  readonly isOn: boolean;
  readonly audit: Audit;
}

const common = { tags: ["billing"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/billing/payments`, `…/top-ups`, `…/invoices/{id}/payments`, `…/auto-top-up`. */
export function paymentRoutes(app: Api, deps: PaymentRoutesDeps): void {
  app.get(
    "/api/orgs/:orgId/billing/payments",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "List payments, newest first, and how the balance is topped up",
        params: orgParamsSchema,
        response: responses(200, paymentsResponseSchema),
      },
    },
    async (request) => {
      const { orgId } = memberOf(request);
      const { db } = deps.database;
      const payments = await listPayments(db, orgId);
      return success({
        provider: deps.provider.name,
        autoTopUp: toShown(await findMethod(db, orgId)),
        payments: payments.map(({ id, purpose, invoiceId, amount, state, failure, createdAt }) => ({
          ...{ id, purpose, invoiceId, state, failure },
          amount: toDecimal(amount),
          createdAt: createdAt.toISOString(),
        })),
      });
    },
  );
  beginRoutes(app, deps);
  autoTopUpRoutes(app, deps);
}

function beginRoutes(app: Api, deps: PaymentRoutesDeps): void {
  app.post(
    "/api/orgs/:orgId/billing/top-ups",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Begin to add to the balance: where to pay",
        params: orgParamsSchema,
        body: beginTopUpSchema,
        response: responses(201, paymentBegunResponseSchema),
      },
    },
    async (request, reply) => {
      assertOn(deps);
      const { amount, savesMethod: keepsMethod } = request.body;
      const wanted = { orgId: memberOf(request).orgId, amount: parseDecimal(amount) ?? 0n, keepsMethod };
      const answer = await told(await beginTopUp(wanted, deps), request, deps);
      return reply.status(201).send(answer);
    },
  );
  app.post(
    "/api/orgs/:orgId/billing/invoices/:id/payments",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Begin to pay an invoice: where to pay",
        params: invoiceParamsSchema,
        response: responses(201, paymentBegunResponseSchema),
      },
    },
    async (request, reply) => {
      assertOn(deps);
      const wanted = { orgId: memberOf(request).orgId, invoiceId: request.params.id };
      const answer = await told(await beginInvoicePayment(wanted, deps), request, deps);
      return reply.status(201).send(answer);
    },
  );
}

function autoTopUpRoutes(app: Api, deps: PaymentRoutesDeps): void {
  const { database, audit } = deps;
  app.put(
    "/api/orgs/:orgId/billing/auto-top-up",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Say when the balance is topped up by itself, and with how much; null turns it off",
        params: orgParamsSchema,
        body: putAutoTopUpSchema,
        response: responses(200, autoTopUpResponseSchema),
      },
    },
    async (request) => {
      const { orgId, userId } = memberOf(request);
      const { autoTopUp } = request.body;
      const method = await findMethod(database.db, orgId);
      if (autoTopUp !== null && !method?.methodId)
        throw new AppError(
          "conflict",
          "No payment method is saved. Add funds once, and save the payment method.",
        );
      const wanted = autoTopUp && {
        below: parseDecimal(autoTopUp.below) ?? 0n,
        amount: parseDecimal(autoTopUp.amount) ?? 0n,
      };
      await setAutoTopUp(database.db, orgId, wanted);
      await audit.write({
        action: "billing.auto_top_up_set",
        orgId,
        actor: { kind: "user", id: userId },
        client: clientOf(request),
        details: { autoTopUp },
      });
      return success(toShown(await findMethod(database.db, orgId)));
    },
  );
}

function assertOn({ isOn }: PaymentRoutesDeps): void {
  if (!isOn) throw new AppError("conflict", "Billing is off on this server: there is nothing to pay.");
}

async function told(
  { id, begun }: { readonly id: string; readonly begun: Begun },
  request: FastifyRequest,
  { audit }: PaymentRoutesDeps,
) {
  const { orgId, userId } = memberOf(request);
  await audit.write({
    action: "billing.payment_begun",
    orgId,
    actor: { kind: "user", id: userId },
    client: clientOf(request),
    details: { id },
  });
  return success(
    begun.kind === "redirect"
      ? { id, url: begun.url, instructions: null }
      : { id, url: null, instructions: begun.text },
  );
}

function toShown(method: PaymentMethod | undefined) {
  const { autoTopUp = null, methodId = null, pausedFor = null } = method ?? {};
  return {
    hasMethod: methodId !== null,
    below: autoTopUp && toDecimal(autoTopUp.below),
    amount: autoTopUp && toDecimal(autoTopUp.amount),
    pausedFor,
  };
}
