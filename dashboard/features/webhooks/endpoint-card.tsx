import { successRate } from "@parley/shared/contracts/endpoint-state.ts";
import type { WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { Link } from "@tanstack/react-router";
import { StateBadge } from "./badges.tsx";
import { msText, type Range, rateText } from "./health-labels.ts";
import { healthOf, pointsOf } from "./health-points.ts";
import { Sparkline } from "./sparkline.tsx";
import type { WatchedEndpoint } from "./use-endpoints.ts";

const SHOWN_EVENTS = 3;

interface EndpointCardProps {
  readonly endpoint: WatchedEndpoint;
  /** The agent the endpoint is restricted to; undefined when unknown. */
  readonly agentName: string | undefined;
  /** Undefined while it loads. */
  readonly health: WebhookHealth | undefined;
  readonly range: Range;
}

/** One endpoint in the list. */
export function EndpointCard({ endpoint: { webhook, state }, agentName, health, range }: EndpointCardProps) {
  const counts = health && healthOf(health, webhook.id);
  return (
    <li className="pf-card hook-card">
      <div className="hook-card-what">
        <div className="row">
          <StateBadge kind={state.kind} />
          {state.kind === "disabled" && <span className="hook-card-reason">{state.reason}</span>}
        </div>
        <Link to="/webhooks/$id" params={{ id: webhook.id }} className="hook-url">
          {webhook.url}
        </Link>
        <p className="pf-muted hook-card-wants">
          <EventsText events={webhook.events} />
          {webhook.agentId !== null && <> from {agentName ?? <code>{webhook.agentId}</code>}</>}
        </p>
      </div>
      <div className="hook-card-health">
        {health && <Sparkline points={pointsOf(health, webhook.id)} range={range} />}
        <dl className="hook-card-figures">
          <div>
            <dt>Success</dt>
            <dd>{counts ? rateText(successRate(counts)) : "…"}</dd>
          </div>
          <div>
            <dt>p95</dt>
            <dd>{counts ? msText(counts.p95Ms) : "…"}</dd>
          </div>
        </dl>
      </div>
    </li>
  );
}

/** The endpoint's events; long lists are counted. */
function EventsText({ events }: { readonly events: readonly string[] }) {
  if (events.includes("*")) return "All events";
  const more = events.length - SHOWN_EVENTS;
  return `${events.slice(0, SHOWN_EVENTS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
