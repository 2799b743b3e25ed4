import type { Overview } from "@parley/shared/contracts/analytics.ts";
import { Link } from "@tanstack/react-router";
import type { Column } from "../../ui/table/columns.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { ListSection } from "../../ui/table/list-section.tsx";
import { countText, delayText, shareText } from "./figures.ts";

/** How each agent's calls are going today; nothing while there are none. */
export function AgentTable({ agents }: { readonly agents: Overview["agents"] }) {
  if (agents.length === 0) return null;
  return (
    <ListSection title="Agents today">
      <DataTable
        name="agents-today"
        label="Figures of each agent"
        columns={COLUMNS}
        rows={agents}
        of={LOADED}
        rowId={({ agentId }) => agentId}
        readAll="rows"
        empty={null}
      />
    </ListSection>
  );
}

type Agent = Overview["agents"][number];

/** They are part of the page's figures, which are there already. */
const LOADED = { problem: undefined, isLoading: false, reload: async () => undefined };

const nameText = ({ name }: Agent): string => name ?? "Deleted agent";

const COLUMNS: readonly Column<Agent>[] = [
  {
    id: "agent",
    name: "Agent",
    sorts: true,
    look: "name",
    text: nameText,
    cell: (agent) =>
      agent.name === null ? (
        <span className="pf-muted">{nameText(agent)}</span>
      ) : (
        <Link to="/agents/$id/{-$section}" params={{ id: agent.agentId }} data-tip={agent.name} data-tip-cut>
          {agent.name}
        </Link>
      ),
  },
  figure("live", "Live", ({ live }) => live, countText),
  figure("calls", "Calls", ({ calls }) => calls, countText),
  {
    id: "answered",
    name: "Answered",
    sorts: true,
    look: "number",
    text: ({ answered, ended }) => shareText(answered, ended),
    cell: ({ answered, ended }) => shareText(answered, ended),
  },
  figure("failed", "Failed", ({ failed }) => failed, countText),
  figure("p50", "Response p50", ({ responseP50Ms }) => responseP50Ms, delayText),
  figure("p95", "Response p95", ({ responseP95Ms }) => responseP95Ms, delayText),
];

/** A column of a figure, which files have as a number, and as nothing where there is none. */
function figure<Value extends number | null>(
  id: string,
  name: string,
  read: (agent: Agent) => Value,
  show: (value: Value) => string,
): Column<Agent> {
  return {
    id,
    name,
    sorts: true,
    look: "number",
    text: (agent) => read(agent) ?? "",
    cell: (agent) => show(read(agent)),
  };
}
