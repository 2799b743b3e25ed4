import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { Link } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { phoneText } from "../../ui/phone-text.ts";
import { useKeyboardScroll } from "../../ui/use-keyboard-scroll.ts";
import { agentText, CHANNEL_NAMES, DIRECTION_NAMES, nameIn, partyText } from "../calls/call-labels.ts";
import type { CallWatch } from "./call-watch.ts";
import { LiveState } from "./live-state.tsx";
import type { Watches } from "./watches.ts";

/** How many calls get a live speaker; each takes its own socket. */
const MOST_WATCHED = 50;

interface LiveListProps {
  readonly calls: readonly CallSummary[];
  readonly chosen: string | null;
  readonly watches: Watches;
}

/** A list of live calls to choose from. */
export function LiveList({ calls, chosen, watches }: LiveListProps) {
  const box = useKeyboardScroll<HTMLElement>();
  return (
    <section ref={box} className="live-list" aria-label="Calls under way">
      <ul>
        {calls.map((call, index) => (
          <li key={call.id}>
            <Link
              to="/live"
              search={{ call: call.sessionId }}
              replace
              className="live-choice"
              aria-current={call.sessionId === chosen ? "page" : undefined}
            >
              <strong>{phoneText(partyText(call, nameIn(CHANNEL_NAMES, call.channel)))}</strong>
              <About call={call} />
              {index < MOST_WATCHED ? (
                <WatchedState call={call} watch={watches.of(call.sessionId)} />
              ) : (
                <LiveState call={call} speaker={undefined} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Rerenders when the speaker changes, not with every word. */
function WatchedState({ call, watch }: { readonly call: CallSummary; readonly watch: CallWatch }) {
  const speaker = useSyncExternalStore(watch.subscribe, () => watch.current().view.speaker);
  return <LiveState call={call} speaker={speaker} />;
}

/** Who has the call and how it came; our number stays in one line. */
function About({ call }: { readonly call: CallSummary }) {
  const { channel, direction, fromNumber, toNumber } = call;
  const ours =
    direction === "outbound"
      ? fromNumber && `from ${phoneText(fromNumber)}`
      : toNumber && `to ${phoneText(toNumber)}`;
  const how = channel === "telephony" ? nameIn(DIRECTION_NAMES, direction) : nameIn(CHANNEL_NAMES, channel);
  return (
    <span className="pf-muted">
      {call.agentId !== null && `${agentText(call)} · `}
      {how}
      {ours && (
        <>
          {" · "}
          <span className="one-line">{ours}</span>
        </>
      )}
    </span>
  );
}
