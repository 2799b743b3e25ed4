import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { ATTEMPTS, CREATED, STATUS } from "../webhooks/delivery-columns.tsx";

type CallDelivery = CallDetail["deliveries"][number];

/** They are part of the call, which is there already. */
const LOADED = { problem: undefined, isLoading: false, reload: async () => undefined };

/** Webhook deliveries about the call, each linked to what was sent and answered. */
export function CallDeliveries({ deliveries }: { readonly deliveries: CallDetail["deliveries"] }) {
  return (
    <ListSection title="Webhook deliveries">
      <DataTable
        name="call-deliveries"
        label="List of webhook deliveries"
        columns={COLUMNS}
        rows={deliveries}
        of={LOADED}
        rowId={({ id }) => id}
        empty={<p>No webhook deliveries for this call.</p>}
      />
    </ListSection>
  );
}

const COLUMNS: readonly Column<CallDelivery>[] = [
  {
    id: "event",
    name: "Event",
    text: ({ event }) => event,
    cell: ({ id, endpointId, event }) => (
      <Link to="/webhooks/$id" params={{ id: endpointId }} search={{ delivery: id }}>
        {event}
      </Link>
    ),
  },
  STATUS,
  {
    id: "response",
    name: "Response",
    look: "number",
    text: ({ responseStatus }) => responseStatus ?? "",
    cell: ({ responseStatus }) => responseStatus ?? "–",
  },
  ATTEMPTS,
  CREATED,
];
