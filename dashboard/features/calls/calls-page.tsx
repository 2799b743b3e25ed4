import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { useMemo } from "react";
import type { Session } from "../../api/session.ts";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import { CursorPager } from "../../ui/table/pager.tsx";
import { Views } from "../../ui/table/views.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { dayText } from "../analytics/period.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { CALL_COLUMNS } from "./call-columns.tsx";
import { CallFilters } from "./call-filters.tsx";
import { callQuery } from "./call-query.ts";

const LOOK_MS = 15_000;
const PAGE_SIZE = 50;
const EXPORT_PAGE_SIZE = 100;

interface CallsOfPage {
  readonly calls: readonly CallSummary[];
  readonly nextBefore: string | null;
}

/** The organization's calls, newest first. */
export function CallsPage() {
  const session = useSession();
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const query = callQuery(params);
  query.set("limit", String(PAGE_SIZE));
  const path = `/api/orgs/${org.id}/calls?${query}`;
  const loaded = useData(path, () => session.call<CallsOfPage>(path, { method: "GET", orgId: org.id }), {
    topics: ["calls"],
    // The stream does not report chats or anything before a call connects.
    everyMs: LOOK_MS,
    isList: true,
  });
  const presets = useMemo(presetViews, []);
  return (
    <AppPage title="Calls">
      <Views list="calls" presets={presets} />
      <DataTable
        name="calls"
        label="List of calls"
        columns={CALL_COLUMNS}
        rows={loaded.data?.calls}
        of={loaded}
        rowId={({ id }) => id}
        filters={<CallFilters />}
        toolbar={<AppActions surface="calls_list" />}
        readAll={() => readCalls(session, org.id, callQuery(params))}
        empty={
          params.size === 0 ? (
            <p>No calls yet. Calls appear here as soon as they start.</p>
          ) : (
            <>
              <p>No calls match these filters.</p>
              <button type="button" className="pf-btn" onClick={() => setParams(new URLSearchParams())}>
                Clear filters
              </button>
            </>
          )
        }
        pager={<CursorPager next={loaded.data?.nextBefore ?? null} />}
      />
      <AppSlot slot="call_list_panel" />
    </AppPage>
  );
}

function presetViews() {
  const today = dayText(new Date());
  return [
    { name: "All", filters: {} },
    { name: "Today", filters: { from: today, to: today } },
    { name: "Live", filters: { status: "in-progress" } },
    { name: "No answer", filters: { status: "no-answer" } },
    { name: "Failed", filters: { status: "failed" } },
  ];
}

/** All calls that pass the filters, newest first, regardless of the shown page. */
async function* readCalls(
  session: Session,
  orgId: string,
  query: URLSearchParams,
): AsyncGenerator<readonly CallSummary[]> {
  query.delete("before");
  query.set("limit", String(EXPORT_PAGE_SIZE));
  for (;;) {
    const page = await session.call<CallsOfPage>(`/api/orgs/${orgId}/calls?${query}`, {
      method: "GET",
      orgId,
    });
    yield page.calls;
    if (page.nextBefore === null) return;
    query.set("before", page.nextBefore);
  }
}
