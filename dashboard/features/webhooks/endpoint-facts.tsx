import type { Webhook } from "@parley/shared/contracts/webhooks.ts";
import { Time } from "../../ui/time.tsx";
import { useAgentNames } from "../agents/use-agent-names.ts";

/** The endpoint's immutable registration. */
export function EndpointFacts({ webhook }: { readonly webhook: Webhook }) {
  const { id, events, agentId, includeRecording, includeTranscript, createdAt } = webhook;
  const agents = useAgentNames();
  const included = [...(includeRecording ? ["recording"] : []), ...(includeTranscript ? ["transcript"] : [])];
  return (
    <section className="pf-card panel" aria-label="Settings">
      <dl className="hook-facts">
        <div className="hook-facts-wide">
          <dt>Events</dt>
          <dd className="hook-events">
            {events.includes("*") ? "All events" : events.map((event) => <code key={event}>{event}</code>)}
          </dd>
        </div>
        <div>
          <dt>Agent</dt>
          <dd>{agentId === null ? "All agents" : (agents.get(agentId) ?? <code>{agentId}</code>)}</dd>
        </div>
        <div>
          <dt>Included in call.ended</dt>
          <dd className="hook-included">
            {included.length === 0 ? "nothing extra" : included.join(" and ")}
          </dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={createdAt} />
          </dd>
        </div>
        <div className="hook-facts-wide">
          <dt>ID</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
      </dl>
    </section>
  );
}
