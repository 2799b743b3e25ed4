import type { Agent } from "@parley/shared/contracts/agents.ts";
import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useData } from "../../api/use-data.ts";
import { useHere, useSession } from "../../api/use-session.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { titleOf as titleOfCall } from "../calls/call-labels.ts";
import { type DraftFlow, titleOf } from "./flow-draft.ts";

interface KeptPathProps {
  /** Session of the call whose path is shown. */
  readonly callId: string;
  readonly agent: Agent;
  readonly flow: DraftFlow;
  /** Receives the nodes the call reached, in order. */
  readonly onPath: (nodes: readonly string[]) => void;
  readonly onShow: (node: string) => void;
}

/** A call's path through this flow, node by node. */
export function KeptPath({ callId, ...shown }: KeptPathProps) {
  const session = useSession();
  const { org } = useHere();
  const path = `/api/orgs/${org.id}/calls/${encodeURIComponent(callId)}`;
  const loaded = useData(`${path}#way`, () =>
    session.call<CallDetail>(path, { method: "GET", orgId: org.id }),
  );
  return (
    <section className="flow-live" aria-label="The call’s way">
      <h2>The call’s way</h2>
      <Loaded of={loaded}>{(call) => <Way call={call} {...shown} />}</Loaded>
    </section>
  );
}

function Way({
  call,
  agent,
  flow,
  onPath,
  onShow,
}: Omit<KeptPathProps, "callId"> & { readonly call: CallDetail }) {
  const nodes = useMemo(() => nodesOf(call, agent.id), [call, agent.id]);
  useEffect(() => {
    onPath(nodes);
    return () => onPath([]);
  }, [nodes, onPath]);
  const version = versionIn(call, agent.id);
  return (
    <>
      <p>
        <Link to="/calls/$id" params={{ id: call.sessionId }}>
          {titleOfCall(call)}
        </Link>
        {version !== null && version !== agent.version && (
          <>
            {" "}
            went by version {version}; what is drawn is made from version {agent.version}.
          </>
        )}
      </p>
      {nodes.length === 0 && <p>It came to no node of this agent’s flow.</p>}
      <ol>
        {nodes.map((id, index) => {
          const node = flow.nodes.find((one) => one.id === id);
          // A call may reach a node more than once.
          const key = `${String(index)}-${id}`;
          if (!node) return <li key={key}>{id}, which is not in this flow anymore</li>;
          return (
            <li key={key}>
              <button type="button" className="flow-problem" onClick={() => onShow(id)}>
                {titleOf(node)}
              </button>
            </li>
          );
        })}
      </ol>
    </>
  );
}

/** Nodes of this agent: a transferred call goes through several flows. */
function nodesOf(call: CallDetail, agentId: string): readonly string[] {
  const own = call.path.filter((step) => (step.agentId ?? call.agentId) === agentId);
  return own.map(({ node }) => node);
}

function versionIn(call: CallDetail, agentId: string): number | null {
  if (call.agentId === agentId) return call.agentVersion;
  return call.handOffs.find((one) => one.agentId === agentId)?.agentVersion ?? null;
}
