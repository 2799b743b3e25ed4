import type { AuditEvent } from "@parley/shared/contracts/organizations.ts";
import { useMemo } from "react";
import type { Session } from "../../api/session.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { FilterBar, SelectFilter } from "../../ui/table/filters.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { auditColumns } from "./audit-columns.tsx";
import { ACTION_NAMES } from "./audit-labels.ts";
import { memberName, useMembers } from "./use-members.ts";

const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 200;

interface EventsOfPage {
  readonly events: readonly AuditEvent[];
  readonly names: Readonly<Record<string, string>>;
  readonly nextBefore: string | null;
}

/** What was done to the organization and by whom, newest first. */
export function AuditPage() {
  const session = useSession();
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  for (const name of ["action", "userId", "before"]) {
    const value = params.get(name);
    if (value !== null) query.set(name, value);
  }
  const path = `/api/orgs/${org.id}/audit`;
  const loaded = useData(
    `${path}?${query}`,
    () => session.call<EventsOfPage>(`${path}?${query}`, { method: "GET", orgId: org.id }),
    { isList: true },
  );
  const { data: members } = useMembers();
  const people = useMemo(
    () => new Map((members ?? []).map((member) => [member.userId, memberName(member)])),
    [members],
  );
  const things = loaded.data?.names;
  // An export reads pages that are not shown: their names are kept here as they come.
  const names = useMemo(() => new Map([...people, ...Object.entries(things ?? {})]), [people, things]);
  const columns = useMemo(() => auditColumns(names), [names]);
  return (
    <AppPage title="Audit log">
      <DataTable
        name="audit-log"
        label="Audit log"
        columns={columns}
        rows={loaded.data?.events}
        of={loaded}
        rowId={({ id }) => id}
        filters={
          <FilterBar>
            <SelectFilter label="Action" name="action" options={ACTION_NAMES} />
            <SelectFilter label="About" name="userId" options={[...people]} />
          </FilterBar>
        }
        readAll={() => readEvents({ session, orgId: org.id, shown: query, names })}
        empty={
          <>
            <p>No events match these filters.</p>
            <button type="button" className="pf-btn" onClick={() => setParams(new URLSearchParams())}>
              Clear filters
            </button>
          </>
        }
        pager={<CursorPager next={loaded.data?.nextBefore ?? null} />}
      />
    </AppPage>
  );
}

interface ReadOptions {
  readonly session: Session;
  readonly orgId: string;
  readonly shown: URLSearchParams;
  /** Gets the names of what the events are about. */
  readonly names: Map<string, string>;
}

async function* readEvents({
  session,
  orgId,
  shown,
  names,
}: ReadOptions): AsyncGenerator<readonly AuditEvent[]> {
  const query = new URLSearchParams(shown);
  query.delete("before");
  query.set("limit", String(EXPORT_PAGE_SIZE));
  for (;;) {
    const page = await session.call<EventsOfPage>(`/api/orgs/${orgId}/audit?${query}`, {
      method: "GET",
      orgId,
    });
    const { events, nextBefore } = page;
    for (const [id, name] of Object.entries(page.names)) names.set(id, name);
    yield events;
    if (nextBefore === null) return;
    query.set("before", nextBefore);
  }
}
