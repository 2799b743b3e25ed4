import type { InvoiceShown } from "@parley/shared/contracts/invoices.ts";
import type { PaymentBegun } from "@parley/shared/contracts/payments.ts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useHere, useSession } from "../../api/use-session.ts";
import { Problem } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { dollars, INVOICE_STATES } from "./billing-labels.ts";
import { Instructions } from "./instructions.tsx";

/** Invoices, newest first, with ways to pay the unpaid ones. */
export function InvoiceTable({ invoices }: { readonly invoices: readonly InvoiceShown[] }) {
  if (invoices.length === 0) return null;
  return (
    <TablePanel labelledBy="invoices-title">
      <h2 id="invoices-title">Invoices</h2>
      <table className="pf-table">
        <TableHead columns={["Invoice", "Period", "Status", "Due", "Total"]} withActions />
        <tbody>
          {invoices.map(({ id, number, periodStart, periodEnd, state, dueAt, total }) => (
            <tr key={id}>
              <th scope="row">
                <Link to="/billing/invoices/$id" params={{ id }}>
                  {number ?? id.slice(0, 8)}
                </Link>
              </th>
              <td>{`${periodStart} – ${periodEnd}`}</td>
              <td>{INVOICE_STATES[state]}</td>
              <td>{dueAt.slice(0, 10)}</td>
              <td>{dollars(total)}</td>
              <td>{state !== "paid" && <PayButton invoiceId={id} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}

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
