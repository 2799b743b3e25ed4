import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { agentText } from "./call-labels.ts";

/** Links to the flows the call went through, with its path drawn. */
export function FlowLinks({ call }: { readonly call: CallDetail }) {
  const agents = new Set(call.path.flatMap(({ agentId }) => agentId ?? call.agentId ?? []));
  if (agents.size === 0) return null;
  return (
    <ul className="flow-links" aria-label="Flows">
      {[...agents].map((id) => (
        <li key={id}>
          <Link
            to="/agents/$id/{-$section}"
            params={{ id, section: "flow" }}
            search={{ call: call.sessionId }}
          >
            Show the call’s path in the flow of {id === call.agentId ? agentText(call) : id}
          </Link>
        </li>
      ))}
    </ul>
  );
}
