import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { Link } from "@tanstack/react-router";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { countText, delayText, shareText } from "./figures.ts";

/** How each agent's calls are going today. */
export function AgentTable({ agents }: { readonly agents: Overview["agents"] }) {
  if (agents.length === 0) return null;
  return (
    <TablePanel labelledBy="agents-title">
      <h2 id="agents-title">Agents today</h2>
      <table className="pf-table">
        <TableHead
          columns={["Agent", "Live", "Calls", "Answered", "Failed", "Response p50", "Response p95"]}
        />
        <tbody>
          {agents.map((agent) => (
            <tr key={agent.agentId}>
              <th scope="row" className="cell-name">
                {agent.name === null ? (
                  <span className="pf-muted">Deleted agent</span>
                ) : (
                  <Link to="/agents/$id/{-$section}" params={{ id: agent.agentId }} title={agent.name}>
                    {agent.name}
                  </Link>
                )}
              </th>
              <td>{countText(agent.live)}</td>
              <td>{countText(agent.calls)}</td>
              <td>{shareText(agent.answered, agent.ended)}</td>
              <td>{countText(agent.failed)}</td>
              <td>{delayText(agent.responseP50Ms)}</td>
              <td>{delayText(agent.responseP95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}
