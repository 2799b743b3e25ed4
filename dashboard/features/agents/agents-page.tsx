import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { PhoneNumber } from "@parley/shared/contracts/telephony.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Field } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { Time } from "../../ui/time.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { textOf } from "../../ui/use-submit.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { useNumbers } from "../numbers/use-numbers.ts";
import { brainText } from "./brain-text.ts";
import { CreateAgentDialog } from "./create-agent-dialog.tsx";

const PAGE_SIZE = 25;

/** The organization's agents, the newest first. */
export function AgentsPage() {
  const session = useSession();
  const here = useHere();
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const search = params.get("search")?.trim() ?? "";
  const offset = Math.max(0, Math.trunc(Number(params.get("from")) || 0));
  const query = new URLSearchParams({
    limit: String(PAGE_SIZE),
    offset: String(offset),
    ...(search === "" ? {} : { search }),
  });
  const path = `/api/agents?${query}`;
  const loaded = useData(
    `${path}#${here.org.id}`,
    () => session.call<{ agents: Agent[]; total: number }>(path, { method: "GET", orgId: here.org.id }),
    { isList: true },
  );
  const { data } = loaded;
  const { data: numbers } = useNumbers();
  const mayChange = can(here, "manage_agents");
  const [isCreating, setCreating] = useState(mayChange && params.has("create"));
  const show = (wanted: { search?: string; from?: number }): void =>
    setParams(
      new URLSearchParams(
        Object.entries(wanted).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])),
      ),
    );
  return (
    <AppPage title="Agents">
      <AppActions surface="agents_list" />
      <div className="row row-spread">
        <SearchForm key={search} search={search} onSearch={(text) => show({ search: text })} />
        {mayChange ? (
          <div className="row">
            <Link to="/agents/templates" className="pf-btn">
              Templates
            </Link>
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setCreating(true)}>
              Create an agent
            </button>
          </div>
        ) : (
          <p className="pf-muted">Owners, admins and developers make agents.</p>
        )}
      </div>
      <Loaded of={loaded}>
        {({ agents }) =>
          agents.length === 0 ? (
            <NoAgents search={search} onShowAll={() => show({})} />
          ) : (
            <AgentTable agents={agents} numbers={numbers} />
          )
        }
      </Loaded>
      {data && data.total > PAGE_SIZE && (
        <div className="row">
          <p className="pf-muted">
            {offset + 1} to {Math.min(offset + PAGE_SIZE, data.total)} of {data.total}
          </p>
          {offset > 0 && (
            <button
              type="button"
              className="pf-btn"
              onClick={() => show({ search, from: Math.max(0, offset - PAGE_SIZE) })}
            >
              Newer
            </button>
          )}
          {offset + PAGE_SIZE < data.total && (
            <button
              type="button"
              className="pf-btn"
              onClick={() => show({ search, from: offset + PAGE_SIZE })}
            >
              Older
            </button>
          )}
        </div>
      )}
      {isCreating && (
        <CreateAgentDialog
          onClose={() => setCreating(false)}
          onMade={({ id }) =>
            void navigate({ to: "/agents/$id/{-$section}", params: { id, section: "try" } })
          }
        />
      )}
      <AppSlot slot="agents_overview_panel" />
    </AppPage>
  );
}

function SearchForm({
  search,
  onSearch,
}: {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}) {
  return (
    <form
      className="row agent-search"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(textOf(new FormData(event.currentTarget), "search"));
      }}
    >
      <Field label="Name or id" name="search" type="search" maxLength={128} defaultValue={search} />
      <button type="submit" className="pf-btn">
        Search
      </button>
    </form>
  );
}

function NoAgents({ search, onShowAll }: { readonly search: string; readonly onShowAll: () => void }) {
  if (search === "") {
    return (
      <p className="pf-card panel">
        No agents yet. Create one, try it in your browser, then assign a number.
      </p>
    );
  }
  return (
    <div className="pf-card panel">
      <p>No agents match “{search}”.</p>
      <div className="row">
        <button type="button" className="pf-btn" onClick={onShowAll}>
          Show all
        </button>
      </div>
    </div>
  );
}

interface AgentTableProps {
  readonly agents: readonly Agent[];
  readonly numbers: readonly PhoneNumber[] | undefined;
}

function AgentTable({ agents, numbers }: AgentTableProps) {
  return (
    <TablePanel label="List of agents">
      <table className="pf-table">
        <TableHead columns={["Name", "Brain", "Numbers", "API access", "Last changed"]} />
        <tbody>
          {agents.map((agent) => {
            const own = numbers?.filter(({ agentId }) => agentId === agent.id) ?? [];
            return (
              <tr key={agent.id}>
                <th scope="row">
                  <Link to="/agents/$id/{-$section}" params={{ id: agent.id }}>
                    {agent.name}
                  </Link>
                </th>
                <td>{brainText(agent)}</td>
                <td>{own.length === 0 ? "none" : own.map(({ number }) => number).join(", ")}</td>
                <td>{agent.apiAccess ? "on" : "off"}</td>
                <td>
                  <Time at={agent.updatedAt} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TablePanel>
  );
}
