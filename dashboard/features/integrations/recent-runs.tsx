import type { ConnectionRun } from "@parley/shared/contracts/integrations.ts";
import { Link } from "@tanstack/react-router";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { integrationsPath } from "./integrations-api.ts";

const REFRESH_MS = 30_000;

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
    <TablePanel labelledBy="runs-title">
      <h2 id="runs-title">Recent calls</h2>
      <Loaded of={loaded}>
        {(runs) =>
          runs.length === 0 ? (
            <p>No agent has used this connection in the last 30 days.</p>
          ) : (
            <RunTable runs={runs} />
          )
        }
      </Loaded>
    </TablePanel>
  );
}

function RunTable({ runs }: { readonly runs: readonly ConnectionRun[] }) {
  return (
    <table className="pf-table">
      <TableHead columns={["When", "Did", "Outcome", "Took", "Conversation"]} />
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
              <Time at={run.at} />
            </th>
            <td>
              <code>{run.capability}</code>
            </td>
            <td>{run.outcome === "success" ? "Done" : run.outcome.replaceAll("_", " ")}</td>
            <td>{run.tookMs} ms</td>
            <td>
              {run.sessionId === null ? (
                "None"
              ) : (
                <Link to="/calls/$id" params={{ id: run.sessionId }}>
                  Open
                </Link>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
