import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { dollars, METRIC_LABELS, PROVIDERS } from "../billing/billing-labels.ts";
import { useCallCost } from "../billing/use-billing.ts";
import { nameIn } from "./call-labels.ts";

/** What the call has cost so far, part by part; renders nothing before the first charge. */
export function CallCost({ sessionId }: { readonly sessionId: string }) {
  const { data } = useCallCost(sessionId);
  if (!data || data.lines.length === 0) return null;
  return (
    <TablePanel labelledBy="cost-title">
      <h2 id="cost-title">Cost</h2>
      <table className="pf-table figure-table">
        <TableHead columns={["Usage", "Provider", "Quantity", "Cost"]} />
        <tbody>
          {data.lines.map(({ metric, vendor, quantity, amount }) => (
            <tr key={`${metric} ${vendor}`}>
              <th scope="row">{METRIC_LABELS[metric]}</th>
              <td data-label="Provider">{nameIn(PROVIDERS, vendor)}</td>
              <td data-label="Quantity">{quantity.toLocaleString()}</td>
              <td data-label="Cost">{dollars(amount)}</td>
            </tr>
          ))}
          <tr>
            <th scope="row" colSpan={3}>
              Total
            </th>
            <td data-label="Cost">{dollars(data.total)}</td>
          </tr>
        </tbody>
      </table>
    </TablePanel>
  );
}
