import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { TableHead, TablePanel } from "../../ui/table-panel.tsx";
import { ExactTime } from "../../ui/time.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { AppActions } from "../apps/app-actions.tsx";
import { AppSlot } from "../apps/app-slot.tsx";
import { CallFilters } from "./call-filters.tsx";
import { agentText, CHANNEL_NAMES, DIRECTION_NAMES, durationText, nameIn, partyText } from "./call-labels.ts";
import { callQuery } from "./call-query.ts";
import { CallStatus } from "./call-status.tsx";

const LOOK_MS = 15_000;

interface CallsOfPage {
  readonly calls: readonly CallSummary[];
  readonly nextBefore: string | null;
}

/** The organization's calls, the newest first. */
export function CallsPage() {
  const session = useSession();
  const { org } = useHere();
  const [params, setParams] = useSearchParams();
  const path = `/api/orgs/${org.id}/calls?${callQuery(params)}`;
  const loaded = useData(path, () => session.call<CallsOfPage>(path, { method: "GET", orgId: org.id }), {
    topics: ["calls"],
    // Chats, and what happens before a call is connected, are no news of the stream.
    everyMs: LOOK_MS,
    isList: true,
  });
  const { data } = loaded;
  const turnTo = (before: string | null): void => {
    setParams((now) => {
      const after = new URLSearchParams(now);
      if (before === null) after.delete("before");
      else after.set("before", before);
      return after;
    });
  };
  return (
    <AppPage title="Calls">
      <AppActions surface="calls_list" />
      <CallFilters />
      <Loaded of={loaded}>
        {({ calls }) =>
          calls.length === 0 ? (
            <p className="pf-card panel">
              {params.size > 0
                ? "No calls match these filters."
                : "No calls yet. Calls appear here as soon as they start."}
            </p>
          ) : (
            <CallTable calls={calls} />
          )
        }
      </Loaded>
      {(params.has("before") || data?.nextBefore) && (
        <div className="row">
          {params.has("before") && (
            <button type="button" className="pf-btn" onClick={() => turnTo(null)}>
              Newest
            </button>
          )}
          {data?.nextBefore && (
            <button type="button" className="pf-btn" onClick={() => turnTo(data.nextBefore)}>
              Older
            </button>
          )}
        </div>
      )}
      <AppSlot slot="call_list_panel" />
    </AppPage>
  );
}

function CallTable({ calls }: { readonly calls: readonly CallSummary[] }) {
  return (
    <TablePanel label="List of calls">
      <table className="pf-table">
        <TableHead columns={["Made", "With", "Agent", "Status", "Channel", "Direction", "Lasted"]} />
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <th scope="row">
                <Link to="/calls/$id" params={{ id: call.sessionId }}>
                  <ExactTime at={call.createdAt} />
                </Link>
              </th>
              <td className="call-who">{partyText(call)}</td>
              <td className="call-wraps">{agentText(call)}</td>
              <td>
                <CallStatus status={call.status} />
              </td>
              <td>{nameIn(CHANNEL_NAMES, call.channel)}</td>
              <td className="call-wraps">{nameIn(DIRECTION_NAMES, call.direction)}</td>
              <td>{durationText(call.durationSecs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TablePanel>
  );
}
