import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { StatusBadge } from "../webhooks/badges.tsx";

/** Webhook deliveries about the call, each linked to what was sent and answered. */
export function CallDeliveries({ deliveries }: { readonly deliveries: CallDetail["deliveries"] }) {
  return (
    <TablePanel labelledBy="deliveries-title">
      <h2 id="deliveries-title">Webhook deliveries</h2>
      {deliveries.length === 0 ? (
        <p className="pf-muted">No webhook was told of this call.</p>
      ) : (
        <table className="pf-table">
          <TableHead columns={["Event", "Status", "Response", "Attempts", "Created"]} />
          <tbody>
            {deliveries.map(({ id, endpointId, event, status, responseStatus, attempts, createdAt }) => (
              <tr key={id}>
                <th scope="row">
                  <Link to="/webhooks/$id" params={{ id: endpointId }} search={{ delivery: id }}>
                    {event}
                  </Link>
                </th>
                <td>
                  <StatusBadge status={status} />
                </td>
                <td>{responseStatus ?? "–"}</td>
                <td>{attempts}</td>
                <td>
                  <ExactTime at={createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </TablePanel>
  );
}
