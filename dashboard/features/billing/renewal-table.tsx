import type { BilledNumberShown } from "@parley/shared/contracts/billing.ts";
import { Phone } from "../../ui/phone.tsx";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { dayName } from "../../ui/time.tsx";
import { dollars } from "./billing-labels.ts";
import { useBilledNumbers } from "./use-billing.ts";

const STATES: Readonly<Record<BilledNumberShown["state"], string>> = {
  active: "Active",
  noticed: "Renews within a week",
  overdue: "Renewal failed",
  release_pending: "Released soon: account suspended",
};

/** When numbers renew, and at what cost; nothing while there are none. */
export function RenewalTable() {
  const loaded = useBilledNumbers();
  if (loaded.data?.numbers.length === 0) return null;
  return (
    <ListSection title="Number renewals">
      <DataTable
        name="renewals"
        label="List of renewals"
        columns={COLUMNS}
        rows={loaded.data?.numbers}
        of={loaded}
        rowId={({ id }) => id}
        readAll="rows"
        empty={null}
      />
    </ListSection>
  );
}

const renewsOn = ({ rent, renewsAt }: BilledNumberShown): string =>
  rent === null ? "–" : renewsAt.slice(0, 10);

const renewsName = ({ rent, renewsAt }: BilledNumberShown): string =>
  rent === null ? "–" : dayName(renewsAt);

const COLUMNS: readonly Column<BilledNumberShown>[] = [
  {
    id: "number",
    name: "Number",
    sorts: true,
    text: ({ number }) => number,
    cell: ({ number }) => <Phone number={number} />,
  },
  {
    id: "state",
    name: "Status",
    sorts: true,
    text: ({ state }) => STATES[state],
    cell: ({ state }) => STATES[state],
  },
  { id: "renews", name: "Renews", sorts: true, text: renewsOn, cell: renewsName },
  {
    id: "monthly",
    name: "Monthly",
    look: "number",
    sorts: true,
    text: ({ rent }) => Number(rent ?? 0),
    cell: ({ rent }) => (rent === null ? "Free" : dollars(rent)),
  },
];
