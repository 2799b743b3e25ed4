import { IN_ORG, MANAGERS, OPERATORS, PUBLIC, type Row } from "./access-rows.ts";

/** The routes of usage and billing. */
export const BILLING_ROWS: Readonly<Record<string, Row>> = {
  "GET /api/orgs/:orgId/usage": IN_ORG,
  "GET /api/orgs/:orgId/usage/calls/:sessionId": IN_ORG,
  "GET /api/orgs/:orgId/billing": MANAGERS,
  "GET /api/orgs/:orgId/billing/invoices": MANAGERS,
  "GET /api/orgs/:orgId/billing/invoices/:id": MANAGERS,
  "GET /api/orgs/:orgId/billing/numbers": MANAGERS,
  "GET /api/orgs/:orgId/billing/payments": MANAGERS,
  "GET /api/orgs/:orgId/billing/invoices/:id/pdf": MANAGERS,
  "GET /api/orgs/:orgId/billing/profile": MANAGERS,
  "PUT /api/orgs/:orgId/billing/profile": MANAGERS,
  "POST /api/orgs/:orgId/billing/top-ups": MANAGERS,
  "POST /api/orgs/:orgId/billing/invoices/:id/payments": MANAGERS,
  "PUT /api/orgs/:orgId/billing/auto-top-up": MANAGERS,
  "POST /api/public/stripe": PUBLIC,
  "PUT /api/orgs/:orgId/billing/limits": MANAGERS,
  "DELETE /api/orgs/:orgId/billing/limits/:id": MANAGERS,
  "GET /api/operator/prices": OPERATORS,
  "POST /api/operator/prices": OPERATORS,
  "GET /api/operator/organizations": OPERATORS,
  "PUT /api/operator/organizations/:orgId/plan": OPERATORS,
  "POST /api/operator/organizations/:orgId/credits": OPERATORS,
  "GET /api/operator/transfers": OPERATORS,
  "POST /api/operator/transfers/:paymentId/received": OPERATORS,
};
