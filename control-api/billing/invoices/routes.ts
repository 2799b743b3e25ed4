import { billedNumbersResponseSchema, type UsageMetric } from "@parley/shared/contracts/billing.ts";
import {
  type InvoiceShown,
  invoiceParamsSchema,
  invoiceResponseSchema,
  invoicesResponseSchema,
} from "@parley/shared/contracts/invoices.ts";
import { orgParamsSchema } from "@parley/shared/contracts/organizations.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { FastifyRequest } from "fastify";
import type { Database } from "../../database/open.ts";
import { BILLING_MANAGES } from "../../http/access/rules.ts";
import { memberOf } from "../../http/plugins/access.ts";
import { type Api, responses, success, USER_SECURITY } from "../../http/routes.ts";
import { listCreditNotes } from "../credit-notes/store.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { readNumbers } from "../numbers/read-numbers.ts";
import { findProfile } from "../taxes/store.ts";
import { invoicePdf } from "./pdf.ts";
import { findInvoice, type Invoice, listInvoices, listLines } from "./store.ts";

export interface InvoiceRoutesDeps {
  readonly database: Database;
  /** Name and address of the seller. */
  readonly seller: string;
}

const common = { tags: ["billing"], security: USER_SECURITY };

/** `/api/orgs/{orgId}/billing/invoices` and `…/numbers`: amounts due and upcoming renewals. */
export function invoiceRoutes(app: Api, deps: InvoiceRoutesDeps): void {
  const { database } = deps;
  app.get(
    "/api/orgs/:orgId/billing/invoices",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "List invoices, newest first",
        params: orgParamsSchema,
        response: responses(200, invoicesResponseSchema),
      },
    },
    async (request) => {
      const invoices = await listInvoices(database.db, memberOf(request).orgId);
      return success({ invoices: invoices.map(toShown) });
    },
  );
  app.get(
    "/api/orgs/:orgId/billing/invoices/:id",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Read an invoice with its lines",
        params: invoiceParamsSchema,
        response: responses(200, invoiceResponseSchema),
      },
    },
    async (request) => {
      const invoice = await findOwn(request, database);
      const lines = await listLines(database.db, invoice.id);
      const notes = await listCreditNotes(database.db, invoice.id);
      return success({
        ...toShown(invoice),
        lines: lines.map(({ metric, vendor, quantity, amount }) => ({
          metric: metric as UsageMetric,
          vendor,
          quantity: Number(quantity),
          amount: toDecimal(amount),
        })),
        creditNotes: notes.map(({ number, total, tax, reason, issuedAt }) => ({
          ...{ number, reason },
          total: toDecimal(total),
          tax: toDecimal(tax),
          issuedAt: issuedAt.toISOString(),
        })),
      });
    },
  );
  pdfRoute(app, deps);
  app.get(
    "/api/orgs/:orgId/billing/numbers",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "List numbers with their renewals",
        params: orgParamsSchema,
        response: responses(200, billedNumbersResponseSchema),
      },
    },
    async (request) => success({ numbers: await readNumbers(database.db, memberOf(request).orgId) }),
  );
}

function pdfRoute(app: Api, { database, seller }: InvoiceRoutesDeps): void {
  app.get(
    "/api/orgs/:orgId/billing/invoices/:id/pdf",
    {
      config: { access: BILLING_MANAGES },
      schema: {
        ...common,
        summary: "Download an invoice as a PDF",
        params: invoiceParamsSchema,
        produces: ["application/pdf"],
      },
    },
    async (request, reply) => {
      const { db } = database;
      const invoice = await findOwn(request, database);
      const pdf = await invoicePdf({
        invoice,
        lines: await listLines(db, invoice.id),
        creditNotes: await listCreditNotes(db, invoice.id),
        profile: await findProfile(db, invoice.orgId),
        orgName: await nameOf(database, invoice.orgId),
        seller,
      });
      const name = `${invoice.number ?? invoice.id}.pdf`;
      return reply
        .type("application/pdf")
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "no-store")
        .send(pdf);
    },
  );
}

async function findOwn(request: FastifyRequest, { db }: Database): Promise<Invoice> {
  const { id } = invoiceParamsSchema.parse(request.params);
  const invoice = await findInvoice(db, id);
  if (invoice?.orgId === memberOf(request).orgId) return invoice;
  throw new AppError("not_found", "There is no such invoice in this organization.");
}

async function nameOf({ db }: Database, orgId: string): Promise<string> {
  const orgs = db.selectFrom("organizations").select("name").where("id", "=", orgId);
  return (await orgs.executeTakeFirst())?.name ?? orgId;
}

function toShown(invoice: Invoice): InvoiceShown {
  const { id, number, periodStart, periodEnd, state, subtotal, taxName, tax, total } = invoice;
  const { issuedAt, dueAt, paidAt } = invoice;
  return {
    ...{ id, number, periodStart, periodEnd, state, taxName, currency: CURRENCY },
    // A millionth is a ten-thousandth of a percent.
    taxRate: toDecimal(invoice.taxMillionths * 100n),
    credited: toDecimal(invoice.credited),
    subtotal: toDecimal(subtotal),
    tax: toDecimal(tax),
    total: toDecimal(total),
    issuedAt: issuedAt.toISOString(),
    dueAt: dueAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
  };
}
