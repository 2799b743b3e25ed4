import { z } from "zod";
import { http, optional, standard, text } from "./field.ts";

const emails = text
  .transform((value) => value.split(",").map((email) => email.trim().toLowerCase()))
  .pipe(z.array(z.email(), { error: "email addresses, separated by commas" }));

/** What organizations pay, and how. */
export const BILLING_FIELDS = {
  BILLING: standard(
    z.enum(["off", "on"], { error: "off or on" }),
    "off",
    "on: calls are charged, and refused where they cannot be paid for (docs/billing.md); off: they are counted.",
  ),
  STRIPE_SECRET_KEY: optional(
    text,
    "Restricted or secret key of the Stripe account that payments go to; without it they are bank transfers (docs/billing.md#payments).",
    { secret: true },
  ),
  STRIPE_WEBHOOK_SECRET: optional(
    text,
    "Signing secrets (whsec_…) of the Stripe endpoint at /api/public/stripe, comma-separated while one is rotated.",
    { secret: true },
  ),
  STRIPE_API_URL: standard(
    http,
    "https://api.stripe.com",
    "Where Stripe is; another address in development.",
  ),
  BANK_TRANSFER_DETAILS: standard(
    text,
    "Ask the operator of this server for the account to pay to.",
    "Where bank transfers go, as people who pay read it.",
  ),
  OPERATORS: optional(
    emails,
    "Email addresses of the accounts that may use the page Operator, comma-separated; each must be verified (docs/billing.md#operators).",
  ),
  INVOICE_SELLER: standard(text, "Parley", "Name, address and tax ID of who sells, as invoices say it."),
} as const;
