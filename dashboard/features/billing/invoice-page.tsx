import type { InvoiceWithLines } from "@parley/shared/contracts/invoices.ts";
import { Link, useParams } from "@tanstack/react-router";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Problem } from "../../ui/messages.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { dayName } from "../../ui/time.tsx";
import { useSubmit } from "../../ui/use-submit.ts";
import { nameIn } from "../calls/call-labels.ts";
import { dollars, INVOICE_STATES, METRIC_LABELS, PROVIDERS } from "./billing-labels.ts";
import { useInvoice } from "./use-billing.ts";

/** One invoice: its lines, tax and deductions. */
export function InvoicePage() {
  const { id } = useParams({ from: "/organization/billing/invoices/$id" });
  const loaded = useInvoice(id);
  const { data } = loaded;
  return (
    <>
      <Link to="/billing" className="back-link">
        <Icon name="back" /> Billing
      </Link>
      <AppPage title={data ? `Invoice ${data.number ?? data.id.slice(0, 8)}` : "Invoice"}>
        <Loaded of={loaded}>
          {(invoice) => (
            <>
              <InvoiceFacts invoice={invoice} />
              <LineTable invoice={invoice} />
              <CreditNoteTable notes={invoice.creditNotes} />
            </>
          )}
        </Loaded>
      </AppPage>
    </>
  );
}

function InvoiceFacts({ invoice }: { readonly invoice: InvoiceWithLines }) {
  const { id, number, periodStart, periodEnd, state, issuedAt, dueAt } = invoice;
  const session = useSession();
  const { org } = useHere();
  const { run, isBusy, problem } = useSubmit(async () => {
    const path = `/api/orgs/${org.id}/billing/invoices/${id}/pdf`;
    const response = await session.open(path, { method: "GET", orgId: org.id });
    saveFile(await response.blob(), `${number ?? id}.pdf`);
  });
  return (
    <div className="row row-spread">
      <p>
        {`${dayName(periodStart)} – ${dayName(periodEnd)} · ${INVOICE_STATES[state]} · issued ${dayName(issuedAt)}, due ${dayName(dueAt)}`}
      </p>
      <button type="button" className="pf-btn" disabled={isBusy} onClick={() => void run()}>
        Download PDF
      </button>
      {problem && <Problem>{problem}</Problem>}
    </div>
  );
}

function LineTable({ invoice }: { readonly invoice: InvoiceWithLines }) {
  const { lines, subtotal, taxName, taxRate, tax, total } = invoice;
  const sums = [
    { name: "Subtotal", amount: subtotal },
    ...(taxName === "" ? [] : [{ name: `${taxName} ${taxRate}%`, amount: tax }]),
    { name: "Total", amount: total },
  ];
  return (
    <TablePanel labelledBy="lines-title">
      <h2 id="lines-title">Usage</h2>
      <table className="pf-table figure-table">
        <TableHead columns={["Usage", "Provider", "Quantity", "Amount"]} />
        <tbody>
          {lines.map(({ metric, vendor, quantity, amount }) => (
            <tr key={`${metric} ${vendor}`}>
              <th scope="row">{METRIC_LABELS[metric]}</th>
              <td data-label="Provider">{nameIn(PROVIDERS, vendor)}</td>
              <td data-label="Quantity">{quantity.toLocaleString()}</td>
              <td data-label="Amount">{dollars(amount)}</td>
            </tr>
          ))}
          {sums.map(({ name, amount }) => (
            <tr key={name}>
              <th scope="row" colSpan={3}>
                {name}
              </th>
              <td data-label="Amount">{dollars(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}

function CreditNoteTable({ notes }: { readonly notes: InvoiceWithLines["creditNotes"] }) {
  if (notes.length === 0) return null;
  return (
    <TablePanel labelledBy="notes-title">
      <h2 id="notes-title">Credit notes</h2>
      <table className="pf-table">
        <TableHead columns={["Credit note", "Reason", "Issued", "Total"]} />
        <tbody>
          {notes.map(({ number, reason, issuedAt, total }) => (
            <tr key={number}>
              <th scope="row">{number}</th>
              <td>{reason}</td>
              <td>{dayName(issuedAt)}</td>
              <td>{dollars(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}
