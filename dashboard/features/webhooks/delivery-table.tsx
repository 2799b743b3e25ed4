import type { Delivery } from "@parley/shared/contracts/webhooks.ts";
import { TableHead } from "../../ui/table-panel.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { StatusBadge } from "./badges.tsx";
import { msText } from "./health-labels.ts";

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly onOpen: (id: string) => void;
}

export function DeliveryTable({ deliveries, onOpen }: DeliveryTableProps) {
  const panel = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={panel} className="table-scroll" aria-label="List of deliveries">
      <table className="pf-table hook-deliveries">
        <TableHead columns={["Event", "Status", "Response", "Duration", "Attempts", "Created"]} />
        <tbody>
          {deliveries.map((delivery) => (
            <tr key={delivery.id}>
              <th scope="row">
                <button type="button" className="hook-open" onClick={() => onOpen(delivery.id)}>
                  {delivery.event}
                  <span className="only-heard"> {delivery.id}</span>
                </button>
              </th>
              <td>
                <StatusBadge status={delivery.status} />
              </td>
              <td>{answerText(delivery)}</td>
              <td>{msText(delivery.durationMs)}</td>
              <td>{delivery.attempts}</td>
              <td>
                <ExactTime at={delivery.createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The receiver's answer to the latest attempt, as short as possible. */
function answerText({ responseStatus, error, attempts }: Delivery): string {
  if (responseStatus !== null) return String(responseStatus);
  if (attempts === 0) return "–";
  return error === null ? "–" : "No response";
}
