import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { CALL_COLUMNS } from "../calls/call-columns.tsx";

const SHOWN = 8;
const COLUMNS = CALL_COLUMNS.filter(({ id }) => id !== "direction");

/** The newest calls. */
export function RecentCalls() {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls?limit=${SHOWN}`;
  const loaded = useData(
    path,
    () => session.call<{ calls: readonly CallSummary[] }>(path, { method: "GET", orgId: org.id }),
    { topics: ["calls"], isList: true },
  );
  return (
    <ListSection title="Recent calls">
      <DataTable
        name="recent-calls"
        label="Newest calls"
        columns={COLUMNS}
        rows={loaded.data?.calls}
        of={loaded}
        rowId={({ id }) => id}
        toolbar={<Link to="/calls">All calls</Link>}
        empty={<p>No calls yet. Calls appear here as soon as they start.</p>}
      />
    </ListSection>
  );
}
