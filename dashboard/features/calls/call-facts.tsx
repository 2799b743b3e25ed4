import type { CallDetail } from "@parley/shared/contracts/calls.ts";
import type { ReactNode } from "react";
import { phoneText } from "../../ui/phone-text.ts";
import { ExactTime } from "../../ui/time.tsx";
import {
  agentText,
  CHANNEL_NAMES,
  DIRECTION_NAMES,
  durationText,
  nameIn,
  reasonText,
} from "./call-labels.ts";
import { CallStatus } from "./call-status.tsx";

/** The call's key facts; unknown ones are left out. */
export function CallFacts({ call }: { readonly call: CallDetail }) {
  const version = call.agentVersion === null ? "" : `, version ${call.agentVersion}`;
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ["Status", <CallStatus key="status" call={call} />],
    ["End reason", call.endTime && reasonText(call.endReason)],
    ["Agent", call.agentId && `${agentText(call)}${version}`],
    ["Channel", nameIn(CHANNEL_NAMES, call.channel)],
    ["Direction", nameIn(DIRECTION_NAMES, call.direction)],
    ["From", call.fromNumber && phoneText(call.fromNumber)],
    ["To", call.toNumber && phoneText(call.toNumber)],
    ["Identifier", call.identifier],
    ["Created", <ExactTime key="created" at={call.createdAt} />],
    ["Started", call.startTime && <ExactTime at={call.startTime} />],
    ["Ended", call.endTime && <ExactTime at={call.endTime} />],
    ["Duration", durationText(call.durationSecs)],
    ["ID", <code key="id">{call.sessionId}</code>],
  ];
  const variables = Object.entries(call.variables);
  return (
    <section className="pf-card panel" aria-label="Facts">
      <dl className="hook-facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className={roomOf(name, value)}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
      {variables.length > 0 && (
        <details>
          <summary>Variables</summary>
          <dl className="hook-facts">
            {variables.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

/** Longer texts would take more than two lines of a column. */
const LONG = 40;

function roomOf(name: string, value: ReactNode): string | undefined {
  if (name === "ID") return "hook-facts-wide";
  return typeof value === "string" && value.length > LONG ? "hook-facts-long" : undefined;
}
