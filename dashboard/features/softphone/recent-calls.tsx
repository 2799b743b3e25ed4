import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { Icon } from "../../ui/icon.tsx";
import { Problem } from "../../ui/messages.tsx";
import { phoneText } from "../../ui/phone-text.ts";
import { Time } from "../../ui/time.tsx";
import { partyText } from "../calls/call-labels.ts";
import { CallStatus } from "../calls/call-status.tsx";
import { useSoftphone } from "./softphone-context.ts";
import { isBusy } from "./softphone-view.ts";

/** The person's last calls, each with a button to call again. */
export function RecentCalls() {
  const { own } = useSoftphone();
  return (
    <section className="pf-card panel phone-recent" aria-labelledby="recent-title">
      <h2 id="recent-title">Recent calls</h2>
      {own.problem && <Problem>{own.problem}</Problem>}
      {own.recent?.length === 0 && <p className="pf-muted">No calls yet. Calls you make are listed here.</p>}
      <ul>
        {own.recent?.map((call) => (
          <RecentCall key={call.id} call={call} />
        ))}
      </ul>
    </section>
  );
}

function RecentCall({ call }: { readonly call: CallSummary }) {
  const { actions, view, mayCall } = useSoftphone();
  const number = call.direction === "inbound" ? call.fromNumber : call.toNumber;
  const isNumber = number !== null && /^\+\d+$/.test(number);
  const shown = phoneText(partyText(call));
  return (
    <li>
      <div>
        <Link to="/calls/$id" params={{ id: call.sessionId }}>
          <span className="only-heard">{call.direction === "inbound" ? "From" : "To"} </span>
          {shown}
        </Link>
        <span className="pf-muted">
          {call.direction === "inbound" ? "called you " : ""}
          <Time at={call.createdAt} />
        </span>
      </div>
      <CallStatus call={call} />
      <button
        type="button"
        className="pf-btn"
        disabled={!isNumber || isBusy(view) || !mayCall}
        onClick={() => number !== null && actions.dial(number)}
      >
        <Icon name="phone" />
        <span className="only-heard">Call {shown} again</span>
      </button>
    </li>
  );
}
