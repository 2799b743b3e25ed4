import type { BilledNumberShown } from "@parley/shared/contracts/billing.ts";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { dollars } from "./billing-labels.ts";

const STATES: Readonly<Record<BilledNumberShown["state"], string>> = {
  active: "Active",
  noticed: "Renews within a week",
  overdue: "Renewal failed",
  release_pending: "Released soon: account suspended",
};

/** When numbers renew, and at what cost. */
export function RenewalTable({ numbers }: { readonly numbers: readonly BilledNumberShown[] }) {
  if (numbers.length === 0) return null;
  return (
    <TablePanel labelledBy="renewals-title">
      <h2 id="renewals-title">Number renewals</h2>
      <table className="pf-table">
        <TableHead columns={["Number", "Status", "Renews", "Monthly"]} />
        <tbody>
          {numbers.map(({ id, number, state, renewsAt, rent }) => (
            <tr key={id}>
              <th scope="row">{number}</th>
              <td>{STATES[state]}</td>
              <td>{rent === null ? "–" : renewsAt.slice(0, 10)}</td>
              <td>{rent === null ? "Free" : dollars(rent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}
