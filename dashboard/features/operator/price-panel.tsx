import type { PriceShown } from "@parley/shared/contracts/operator.ts";
import { later } from "../../ui/later.ts";
import { Skeleton } from "../../ui/loaded.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { dollars, METRIC_LABELS } from "../billing/billing-labels.ts";
import { usePrices } from "./use-operator.ts";

const PriceForm = later(async () => (await import("./price-form.tsx")).PriceForm, Skeleton);

const priceText = ({ per, amount }: PriceShown): string =>
  per === 1 ? dollars(amount) : `${dollars(amount)} for ${per.toLocaleString()}`;
const vendorText = ({ vendor }: PriceShown): string => vendor || "All";
const scopeText = ({ orgId, orgName }: PriceShown): string => orgName || orgId || "All";
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
          <h3>Add a price</h3>
          <PriceForm onChanged={loaded.reload} />
        </div>
      )}
    </ListSection>
  );
}
