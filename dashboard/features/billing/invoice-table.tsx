import type { InvoiceShown } from "@parley/shared/contracts/invoices.ts";
import type { PaymentBegun } from "@parley/shared/contracts/payments.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { dayName } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { dollars, INVOICE_STATES } from "./billing-labels.ts";
import { Instructions } from "./instructions.tsx";
import { useInvoices } from "./use-billing.ts";

/** Invoices, newest first, with ways to pay the unpaid ones. */
export function InvoiceTable() {
  const loaded = useInvoices();
  return (
    <ListSection title="Invoices">
      <DataTable
        name="invoices"
        label="List of invoices"
        columns={COLUMNS}
        rows={loaded.data?.invoices}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={<p>No invoices yet. One is issued at the end of each month with usage to pay for.</p>}
        actions={({ id, state }) => state !== "paid" && <PayButton invoiceId={id} />}
      />
    </ListSection>
  );
}

const nameOf = ({ id, number }: InvoiceShown): string => number ?? id.slice(0, 8);

const COLUMNS: readonly Column<InvoiceShown>[] = [
  {
    id: "invoice",
    name: "Invoice",
    sorts: true,
    text: nameOf,
    cell: (invoice) => (
      <Link to="/billing/invoices/$id" params={{ id: invoice.id }}>
        {nameOf(invoice)}
      </Link>
    ),
  },
  {
    id: "period",
    name: "Period",
    sorts: true,
    text: ({ periodStart, periodEnd }) => `${periodStart} – ${periodEnd}`,
    cell: ({ periodStart, periodEnd }) => `${dayName(periodStart)} – ${dayName(periodEnd)}`,
  },
  {
    id: "status",
    name: "Status",
    sorts: true,
    text: ({ state }) => INVOICE_STATES[state],
    cell: ({ state }) => INVOICE_STATES[state],
  },
  {
    id: "due",
    name: "Due",
    sorts: true,
    text: ({ dueAt }) => dueAt.slice(0, 10),
    cell: ({ dueAt }) => dayName(dueAt),
  },
  {
    id: "total",
    name: "Total",
    look: "number",
    sorts: true,
    text: ({ total }) => Number(total),
    cell: ({ total }) => dollars(total),
  },
];

function PayButton({ invoiceId }: { readonly invoiceId: string }) {
  const session = useSession();
  const { org } = useHere();
  const [instructions, setInstructions] = useState<string>();
  const { run, isBusy, problem } = useSubmit(async () => {
    const path = `/api/orgs/${org.id}/billing/invoices/${invoiceId}/payments`;
    const begun = await session.call<PaymentBegun>(path, { method: "POST", orgId: org.id });
    if (begun.url !== null) window.location.assign(begun.url);
    setInstructions(begun.instructions ?? undefined);
  });
  if (instructions !== undefined) return <Instructions text={instructions} />;
  return (
    <>
      <button type="button" className="pf-btn" disabled={isBusy} onClick={() => void run()}>
        Pay
      </button>
      {problem && <Problem>{problem}</Problem>}
    </>
  );
}
