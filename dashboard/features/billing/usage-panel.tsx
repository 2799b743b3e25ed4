import type { Usage, UsageBy } from "@parley/shared/contracts/billing.ts";
import { useMemo, useState } from "react";
import { ChoiceField } from "../../ui/field.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { nameIn } from "../calls/call-labels.ts";
import { dollars, METRIC_LABELS, PROVIDERS, USAGE_CHANNELS } from "./billing-labels.ts";
import { useUsage } from "./use-billing.ts";

type Line = Usage["lines"][number];

const BY: Readonly<Record<UsageBy, string>> = {
  agent: "Agent",
  channel: "Channel",
  vendor: "Provider",
  day: "Day",
};

/** This month's usage, grouped as chosen. */
export function UsagePanel() {
  const [by, setBy] = useState<UsageBy>("agent");
  const loaded = useUsage(by);
  const columns = useMemo(() => usageColumns(by), [by]);
  const lines = loaded.data?.by === by ? loaded.data.lines : undefined;
  return (
    <ListSection title={`This month by ${BY[by].toLowerCase()}`}>
      <DataTable
        name={`usage-by-${by}`}
        label="Usage"
        columns={columns}
        rows={lines}
        of={loaded}
        rowId={({ key, metric }) => `${key} ${metric}`}
        filters={
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
        }
        readAll="rows"
        empty={<p>No usage this month yet.</p>}
      />
    </ListSection>
  );
}

function usageColumns(by: UsageBy): readonly Column<Line>[] {
  const nameOf = ({ name, key }: Line): string => {
    if (by === "channel") return nameIn(USAGE_CHANNELS, key);
    if (by === "vendor") return nameIn(PROVIDERS, key);
    return name ?? (key === "" ? "No agent" : key);
  };
  return [
    { id: "name", name: BY[by], sorts: true, look: "long", text: nameOf, cell: nameOf },
    {
      id: "metric",
      name: "Usage",
      sorts: true,
      text: ({ metric }) => METRIC_LABELS[metric],
      cell: ({ metric }) => METRIC_LABELS[metric],
    },
    {
      id: "quantity",
      name: "Quantity",
      look: "number",
      sorts: true,
      text: ({ quantity }) => quantity,
      cell: ({ quantity }) => quantity.toLocaleString(),
    },
    {
      id: "cost",
      name: "Cost",
      look: "number",
      sorts: true,
      text: ({ amount }) => Number(amount),
      cell: ({ amount }) => dollars(amount),
    },
  ];
}
