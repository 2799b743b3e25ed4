import type {
  BilledNumberShown,
  Billing,
  CallCost,
  Usage,
  UsageBy,
} from "@parley/shared/contracts/billing.ts";
import type { InvoiceShown, InvoiceWithLines } from "@parley/shared/contracts/invoices.ts";
import type { Payments } from "@parley/shared/contracts/payments.ts";
import { type Data, useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";

const LOOK_MS = 60_000;

function useOrgData<T>(below: string): Data<T> {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/${below}`;
  return useData(path, () => session.call<T>(path, { method: "GET", orgId: org.id }), { everyMs: LOOK_MS });
}

/** Balance, spending and limits. */
export const useBilling = () => useOrgData<Billing>("billing");
/** This month's usage. */
export const useUsage = (by: UsageBy) => useOrgData<Usage>(`usage?by=${by}`);
/** What one call or chat has used and cost so far. */
export const useCallCost = (sessionId: string) => useOrgData<CallCost>(`usage/calls/${sessionId}`);
/** When numbers renew. */
export const useBilledNumbers = () =>
  useOrgData<{ readonly numbers: readonly BilledNumberShown[] }>("billing/numbers");
/** Payments, and how the balance is topped up. */
export const usePayments = () => useOrgData<Payments>("billing/payments");
/** Invoices, newest first. */
export const useInvoices = () =>
  useOrgData<{ readonly invoices: readonly InvoiceShown[] }>("billing/invoices");
/** One invoice, with its lines and credit notes. */
export const useInvoice = (id: string) => useOrgData<InvoiceWithLines>(`billing/invoices/${id}`);
