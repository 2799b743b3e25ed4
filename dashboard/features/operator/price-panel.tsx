import type { PriceShown } from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { dollars, METRIC_LABELS } from "../billing/billing-labels.ts";
import { usePrices } from "./use-operator.ts";

const priceText = ({ per, amount }: PriceShown): string =>
  per === 1 ? dollars(amount) : `${dollars(amount)} for ${per.toLocaleString()}`;
const vendorText = ({ vendor }: PriceShown): string => vendor || "All";
const scopeText = ({ orgId }: PriceShown): string => orgId || "All";
const fromText = ({ from }: PriceShown): string => from.slice(0, 16).replace("T", " ");

const COLUMNS: readonly Column<PriceShown>[] = [
  {
    id: "usage",
    name: "Usage",
    sorts: true,
    text: ({ metric }) => METRIC_LABELS[metric],
    cell: ({ metric }) => METRIC_LABELS[metric],
  },
  { id: "price", name: "Price", text: priceText, cell: priceText },
  { id: "vendor", name: "Vendor", sorts: true, text: vendorText, cell: vendorText },
  { id: "scope", name: "Organization", sorts: true, text: scopeText, cell: scopeText },
  { id: "from", name: "From (UTC)", sorts: true, text: fromText, cell: fromText },
];

/** The price list, and a form to add a price. Prices never change: a later one supersedes an earlier one. */
export function PricePanel() {
  const loaded = usePrices();
  return (
    <ListSection title="Prices">
      <DataTable
        name="prices"
        label="Price list"
        columns={COLUMNS}
        rows={loaded.data?.prices}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={<p>Nothing has a price yet: all usage is free. Add a price below.</p>}
      />
      {loaded.data && (
        <div className="pf-card panel">
          <PriceForm onChanged={loaded.reload} />
        </div>
      )}
    </ListSection>
  );
}

function PriceForm({ onChanged }: { readonly onChanged: () => Promise<void> }) {
  const session = useSession();
  const { onSubmit, isBusy, problem } = useSubmit(async (fields) => {
    const body: Record<string, string> = {};
    for (const name of ["metric", "amount", "per", "vendor", "orgId", "from"]) {
      const value = textOf(fields, name);
      if (value !== "") body[name] = name === "from" ? `${value}Z` : value;
    }
    await session.call("/api/operator/prices", { method: "POST", body });
    await onChanged();
  });
  return (
    <form className="stack" onSubmit={onSubmit}>
      <ChoiceField label="Usage" name="metric">
        {Object.entries(METRIC_LABELS).map(([metric, label]) => (
          <option key={metric} value={metric}>
            {label}
          </option>
        ))}
      </ChoiceField>
      <Field label="Price (US dollars)" name="amount" inputMode="decimal" required />
      <Field label="For how many" name="per" inputMode="numeric" defaultValue="1" required />
      <Field label="Vendor" name="vendor" hint="Empty: all vendors without a price of their own." />
      <Field label="Organization" name="orgId" hint="An id (org_…). Empty: all organizations." />
      <Field label="From (UTC)" name="from" type="datetime-local" hint="Empty: from now on." />
      {problem && <Problem>{problem}</Problem>}
      <div className="row">
        <button type="submit" className="pf-btn" disabled={isBusy}>
          Add price
        </button>
      </div>
    </form>
  );
}
