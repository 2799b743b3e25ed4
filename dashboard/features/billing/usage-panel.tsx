import type { Usage, UsageBy } from "@parley/shared/contracts/billing.ts";
import { useState } from "react";
import { ChoiceField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { dollars, METRIC_LABELS } from "./billing-labels.ts";
import { useUsage } from "./use-billing.ts";

const BY: Readonly<Record<UsageBy, string>> = {
  agent: "Agent",
  channel: "Channel",
  vendor: "Vendor",
  day: "Day",
};

/** What was used this month, by what one chooses. */
export function UsagePanel() {
  const [by, setBy] = useState<UsageBy>("agent");
  return (
    <TablePanel labelledBy="usage-title">
      <h2 id="usage-title">{`This month by ${by}`}</h2>
      <div className="row">
        <ChoiceField
          label="Group by"
          name="by"
          value={by}
          onChange={({ currentTarget }) => setBy(currentTarget.value as UsageBy)}
        >
          {Object.entries(BY).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </ChoiceField>
      </div>
      <Loaded of={useUsage(by)}>{(usage) => <UsageTable usage={usage} />}</Loaded>
    </TablePanel>
  );
}

function UsageTable({ usage }: { readonly usage: Usage }) {
  if (usage.lines.length === 0) return <p className="pf-muted">No usage this month yet.</p>;
  return (
    <table className="pf-table">
      <TableHead columns={[BY[usage.by], "Usage", "Quantity", "Cost"]} />
      <tbody>
        {usage.lines.map(({ key, name, metric, quantity, amount }) => (
          <tr key={`${key} ${metric}`}>
            <th scope="row">{name ?? (key === "" ? "No agent" : key)}</th>
            <td>{METRIC_LABELS[metric]}</td>
            <td>{quantity.toLocaleString()}</td>
            <td>{dollars(amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
