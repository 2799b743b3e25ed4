import type { Agent } from "@parley/shared/contracts/agents.ts";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { Session } from "../../api/session.ts";
import { useData } from "../../api/use-data.ts";
import { can, useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { later } from "../../ui/later.ts";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, TextFilter } from "../../ui/table/filters.tsx";
import { OffsetPager, offsetIn } from "../../ui/table/pager.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { useNumbers } from "../numbers/use-numbers.ts";
import { agentColumns } from "./agent-columns.tsx";

const CreateAgentDialog = later(async () => (await import("./create-agent-dialog.tsx")).CreateAgentDialog);

const PAGE_SIZE = 25;
const EXPORT_PAGE_SIZE = 100;

interface AgentsOfPage {
  readonly agents: readonly Agent[];
  readonly total: number;
}

/** The organization's agents, newest first. */
export function AgentsPage() {
  const session = useSession();
  const here = useHere();
  const orgId = here.org.id;
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const search = params.get("search")?.trim() ?? "";
  const path = agentsPath({ search, limit: PAGE_SIZE, offset: offsetIn(params) });
  const loaded = useData(
    `${path}#${orgId}`,
    () => session.call<AgentsOfPage>(path, { method: "GET", orgId }),
    { isList: true },
  );
  const { data: numbers } = useNumbers();
  const columns = useMemo(() => agentColumns(numbers), [numbers]);
  const mayChange = can(here, "manage_agents");
  const [isCreating, setCreating] = useState(mayChange && params.has("create"));
  return (
    <AppPage title="Agents">
      <div className="row row-spread">
        <p className="pf-muted">Who answers your calls, chats and messages.</p>
        {mayChange ? (
          <div className="row">
            <Link to="/agents/templates" className="pf-btn">
              Templates
            </Link>
            <button type="button" className="pf-btn pf-btn-primary" onClick={() => setCreating(true)}>
              Create agent
            </button>
          </div>
        ) : (
          <p className="pf-muted">Owners, admins and developers create agents.</p>
        )}
      </div>
      <DataTable
        name="agents"
        label="List of agents"
        columns={columns}
        rows={loaded.data?.agents}
        of={loaded}
        rowId={({ id }) => id}
        filters={
          <FilterBar>
            <TextFilter label="Name or ID" name="search" maxLength={128} />
          </FilterBar>
        }
        toolbar={<AppActions surface="agents_list" />}
        readAll={() => readAgents(session, orgId, search)}
        empty={<NoAgents search={search} />}
        pager={<OffsetPager pageSize={PAGE_SIZE} total={loaded.data?.total} />}
      />
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

function NoAgents({ search }: { readonly search: string }) {
  const [, setParams] = useSearchParams();
  if (search === "") return <p>No agents yet. Create one, try it in your browser, then assign a number.</p>;
  return (
    <>
      <p>No agents match “{search}”.</p>
      <button type="button" className="pf-btn" onClick={() => setParams(new URLSearchParams())}>
        Show all
      </button>
    </>
  );
}

interface AgentsQuery {
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
}

function agentsPath({ search, limit, offset }: AgentsQuery): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  if (search !== "") query.set("search", search);
  return `/api/agents?${query}`;
}

async function* readAgents(
  session: Session,
  orgId: string,
  search: string,
): AsyncGenerator<readonly Agent[]> {
  for (let offset = 0; ; offset += EXPORT_PAGE_SIZE) {
    const path = agentsPath({ search, limit: EXPORT_PAGE_SIZE, offset });
    const { agents, total } = await session.call<AgentsOfPage>(path, { method: "GET", orgId });
    yield agents;
    if (offset + EXPORT_PAGE_SIZE >= total) return;
  }
}
