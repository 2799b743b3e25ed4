import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { Time } from "../../ui/time.tsx";

/** What was registered; it never changes. */
export function EndpointFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, events, agentId, includeRecording, includeTranscript, createdAt } = webhook;
  const included = [...(includeRecording ? ["recording"] : []), ...(includeTranscript ? ["transcript"] : [])];
  return (
    <section className="pf-card panel" aria-label="What it is registered for">
      <dl className="hook-facts">
        <div className="hook-facts-wide">
          <dt>Events</dt>
          <dd className="hook-events">
            {events.includes("*") ? "every event" : events.map((event) => <code key={event}>{event}</code>)}
          </dd>
        </div>
        <div>
          <dt>Agent</dt>
          <dd>{agentId === null ? "any" : <code>{agentId}</code>}</dd>
        </div>
        <div>
          <dt>Included in call.ended</dt>
          <dd>{included.length === 0 ? "neither recording nor transcript" : included.join(" and ")}</dd>
        </div>
        <div>
          <dt>Registered</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
    </section>
  );
}
