import type { CallDetail, CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { CHANNEL_NAMES, nameIn, partyText } from "../calls/call-labels.ts";
import type { CallWatch } from "../live/call-watch.ts";
import { useWatches } from "../live/watches.ts";
import { type DraftFlow, titleOf } from "./flow-draft.ts";
import { livePath } from "./live-path.ts";

/** How often to look for calls that start or end, and for the nodes they reached. */
const LOOK_MS = 2_000;
/** Each watched call takes its own socket. */
const MOST_WATCHED = 10;

interface LiveNodesProps {
  readonly agentId: string;
  readonly flow: DraftFlow;
  /** Receives the nodes a call reached, in order; undefined when the call is over. */
  readonly onPath: (sessionId: string, nodes: readonly string[] | undefined) => void;
  readonly onShow: (node: string) => void;
}

/** The agent's live calls, each with its current node. */
export function LiveNodes({ agentId, flow, onPath, onShow }: LiveNodesProps) {
  const session = useSession();
  const { org } = useHere();
  const watches = useWatches();
  const path = `/api/orgs/${org.id}/calls?live=true&limit=${MOST_WATCHED}&agentId=${encodeURIComponent(agentId)}`;
  const { data } = useData(
    path,
    () => session.call<{ calls: CallSummary[] }>(path, { method: "GET", orgId: org.id }),
    { topics: ["calls"], everyMs: LOOK_MS, isList: true },
  );
  const calls = data?.calls ?? [];
  if (calls.length === 0) return null;
  return (
    <section className="flow-live" aria-label="Live calls">
      <h2>Live calls</h2>
      <ul>
        {calls.map((call) => (
          <li key={call.sessionId}>
            <LiveCall {...{ call, flow, onPath, onShow }} watch={watches.of(call.sessionId)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LiveCallProps extends Omit<LiveNodesProps, "agentId"> {
  readonly call: CallSummary;
  readonly watch: CallWatch;
}

function LiveCall({ call, watch, flow, onPath, onShow }: LiveCallProps) {
  const { sessionId } = call;
  const nodes = usePath(sessionId, watch);
  useEffect(() => onPath(sessionId, nodes), [sessionId, nodes, onPath]);
  useEffect(() => () => onPath(sessionId, undefined), [sessionId, onPath]);
  const at = flow.nodes.find(({ id }) => id === nodes.at(-1));
  return (
    <>
      <Link to="/live" search={{ call: sessionId }}>
        {partyText(call, nameIn(CHANNEL_NAMES, call.channel))}
      </Link>{" "}
      {at ? (
        <button type="button" className="flow-problem" onClick={() => onShow(at.id)}>
          is at {titleOf(at)}
        </button>
      ) : (
        "is at no node of this flow"
      )}
    </>
  );
}

/** The nodes a call reached: those in its record, read again and again, and later ones from the stream. */
function usePath(sessionId: string, watch: CallWatch): readonly string[] {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(sessionId)}`;
  const { data } = useData(
    `${path}#path`,
    () => session.call<CallDetail>(path, { method: "GET", orgId: org.id }),
    { everyMs: LOOK_MS },
  );
  const { moments } = useSyncExternalStore(watch.subscribe, () => watch.current().view);
  return useMemo(() => {
    const kept = data?.path.map(({ node }) => node) ?? [];
    return livePath(
      kept,
      moments.flatMap(({ what }) => (what.is === "node" ? [what.node] : [])),
    );
  }, [data, moments]);
}
