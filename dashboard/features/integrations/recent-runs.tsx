import type { ConnectionRun } from "@parley/shared/contracts/integrations.ts";
import { Link } from "@tanstack/react-router";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { Time } from "../../ui/time.tsx";
import { integrationsPath } from "./integrations-api.ts";

const REFRESH_MS = 30_000;

const outcomeText = ({ outcome }: ConnectionRun): string =>
  outcome === "success" ? "Done" : outcome.replaceAll("_", " ");

const COLUMNS: readonly Column<ConnectionRun>[] = [
  { id: "when", name: "When", sorts: true, text: ({ at }) => at, cell: ({ at }) => <Time at={at} /> },
  {
    id: "did",
    name: "Did",
    sorts: true,
    text: ({ capability }) => capability,
    cell: ({ capability }) => <code>{capability}</code>,
  },
  { id: "outcome", name: "Outcome", sorts: true, text: outcomeText, cell: outcomeText },
  {
    id: "took",
    name: "Took",
    look: "number",
    sorts: true,
    text: ({ tookMs }) => tookMs,
    cell: ({ tookMs }) => `${tookMs.toLocaleString()} ms`,
  },
  {
    id: "conversation",
    name: "Conversation",
    text: ({ sessionId }) => sessionId ?? "",
    cell: ({ sessionId }) =>
      sessionId === null ? (
        "None"
      ) : (
        <Link to="/calls/$id" params={{ id: sessionId }}>
          Open
        </Link>
      ),
  },
];

/** Agents' recent actions in a connection, with their conversations. */
export function RecentRuns({ id }: { readonly id: string }) {
  const session = useSession();
  const { org } = useHere();
  const path = `${integrationsPath(org.id)}/connections/${id}/runs`;
  const loaded = useData(
    path,
    async () => {
      const { runs } = await session.call<{ runs: ConnectionRun[] }>(path, { method: "GET", orgId: org.id });
      return runs;
    },
    { everyMs: REFRESH_MS, isList: true },
  );
  return (
    <ListSection title="Recent calls">
      <DataTable
        name="connection-runs"
        label="List of recent calls"
        columns={COLUMNS}
        rows={loaded.data}
        of={loaded}
        rowId={(run) => run.id}
        readAll="rows"
        empty={<p>No agent has used this connection in the last 30 days.</p>}
      />
    </ListSection>
  );
}
