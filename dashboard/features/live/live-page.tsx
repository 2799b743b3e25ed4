import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { AppPage } from "../../app/page.tsx";
import { Loaded, LoadProblem, Skeleton } from "../../ui/loaded.tsx";
import { useSearchParams } from "../../ui/use-search-params.ts";
import { titleOf } from "../calls/call-labels.ts";
import { LiveCall } from "./live-call.tsx";
import { LiveList } from "./live-list.tsx";
import { useCallRecord } from "./use-call-watch.ts";
import { useWatches, type Watches } from "./watches.ts";

/** How often to look for calls that start or end. */
const LOOK_MS = 2_000;
const MOST = 100;

interface LiveCalls {
  readonly calls: readonly CallSummary[];
  readonly nextBefore: string | null;
}

/** All live calls, and one of them as it goes; the page's address names it. */
export function LivePage() {
  const session = useSession();
  const { org } = useHere();
  const [params] = useSearchParams();
  const chosen = params.get("call");
  const watches = useWatches();
  const path = `/api/orgs/${org.id}/calls?live=true&limit=${MOST}`;
  const loaded = useData(path, () => session.call<LiveCalls>(path, { method: "GET", orgId: org.id }), {
    topics: ["calls"],
    everyMs: LOOK_MS,
    isList: true,
  });
  const { data, problem } = loaded;
  useEffect(() => {
    if (!data) return;
    const shown = data.calls.map(({ sessionId }) => sessionId);
    watches.keepOnly(new Set(chosen === null ? shown : [...shown, chosen]));
  }, [data, chosen, watches]);
  return (
    <AppPage title="Live calls">
      <LoadProblem
        of={problem && data ? { ...loaded, problem: `${problem} What is shown may be over by now.` } : loaded}
      />
      {!data && !problem && <Skeleton />}
      <p role="status" className="pf-muted">
        {data && countText(data)}
      </p>
      {data?.calls.length === 0 && (
        <div className="pf-card panel">
          <p>
            Follow the transcript of a call live, see who speaks, and take part or end the call. To see one
            now, <Link to="/agents">open an agent</Link> and press Talk.
          </p>
        </div>
      )}
      <div className="live">
        {data && data.calls.length > 0 && <LiveList calls={data.calls} chosen={chosen} watches={watches} />}
        {chosen !== null && <ChosenCall key={chosen} sessionId={chosen} watches={watches} />}
        {chosen === null && data && data.calls.length > 0 && (
          <p className="pf-card panel">Select a call to follow its transcript live.</p>
        )}
      </div>
    </AppPage>
  );
}

function ChosenCall({ sessionId, watches }: { readonly sessionId: string; readonly watches: Watches }) {
  const loaded = useCallRecord(sessionId);
  const { data, problem, reload } = loaded;
  if (!data) return <Loaded of={loaded}>{() => null}</Loaded>;
  return (
    <section className="live-chosen" aria-labelledby="chosen-title">
      <div className="row row-spread">
        <h2 id="chosen-title">{titleOf(data)}</h2>
        <Link to="/calls/$id" params={{ id: sessionId }}>
          Open call
        </Link>
      </div>
      <LiveCall call={data} watch={watches.of(sessionId)} problem={problem} reload={reload} />
    </section>
  );
}

function countText({ calls, nextBefore }: LiveCalls): string {
  if (nextBefore !== null) return `More than ${MOST} calls are under way; the newest are shown.`;
  if (calls.length === 0) return "No live calls. New calls show up here automatically.";
  return calls.length === 1 ? "1 call is under way." : `${calls.length} calls are under way.`;
}
