import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { LoadProblem } from "../../ui/loaded.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { agentText, durationText, partyText } from "../calls/call-labels.ts";
import { CallStatus } from "../calls/call-status.tsx";

const SHOWN = 8;

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
  const { data } = loaded;
  return (
    <TablePanel labelledBy="recent-title">
      <div className="row row-spread">
        <h2 id="recent-title">Recent calls</h2>
        <Link to="/calls">All calls</Link>
      </div>
      <LoadProblem of={loaded} />
      {data?.calls.length === 0 && (
        <p className="pf-muted">No calls yet. Calls appear here as soon as they start.</p>
      )}
      {data && data.calls.length > 0 && (
        <table className="pf-table">
          <TableHead columns={["Started", "Contact", "Agent", "Status", "Duration"]} />
          <tbody>
            {data.calls.map((call) => (
              <tr key={call.id}>
                <th scope="row">
                  <Link to="/calls/$id" params={{ id: call.sessionId }}>
                    <ExactTime at={call.createdAt} />
                  </Link>
                </th>
                <td className="cell-name" title={partyText(call)}>
                  {phoneText(partyText(call))}
                </td>
                <td className="cell-name" title={agentText(call)}>
                  {agentText(call)}
                </td>
                <td>
                  <CallStatus status={call.status} />
                </td>
                <td>{durationText(call.durationSecs)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </TablePanel>
  );
}
