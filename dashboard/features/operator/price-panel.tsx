import { USAGE_METRICS } from "@parley/shared/contracts/billing.ts";
import type { PriceShown } from "@parley/shared/contracts/operator.ts";
import { useSession } from "../../api/use-session.ts";
import { ChoiceField, Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/messages.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { textOf, useSubmit } from "../../ui/use-submit.ts";
import { dollars, METRIC_LABELS } from "../billing/billing-labels.ts";

interface PricePanelProps {
  readonly prices: readonly PriceShown[];
  readonly onChanged: () => Promise<void>;
}

/** The price list, and a form to add a price. Prices never change: a later one supersedes an earlier one. */
export function PricePanel({ prices, onChanged }: PricePanelProps) {
  return (
    <TablePanel labelledBy="prices-title">
      <h2 id="prices-title">Prices</h2>
      {prices.length === 0 && <p className="pf-muted">Nothing has a price yet: all usage is free.</p>}
      {prices.length > 0 && (
        <table className="pf-table">
          <TableHead columns={["Usage", "Price", "Vendor", "Organization", "From (UTC)"]} />
          <tbody>
            {prices.map(({ id, metric, amount, per, vendor, orgId, from }) => (
              <tr key={id}>
                <th scope="row">{METRIC_LABELS[metric]}</th>
                <td>{per === 1 ? dollars(amount) : `${dollars(amount)} for ${per.toLocaleString()}`}</td>
                <td>{vendor || "All"}</td>
                <td>{orgId || "All"}</td>
                <td>{from.slice(0, 16).replace("T", " ")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <PriceForm onChanged={onChanged} />
    </TablePanel>
  );
}

function PriceForm({ onChanged }: Pick<PricePanelProps, "onChanged">) {
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
        {USAGE_METRICS.map((metric) => (
          <option key={metric} value={metric}>
            {METRIC_LABELS[metric]}
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
