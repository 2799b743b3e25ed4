import { successRate } from "@parley/shared/contracts/endpoint-state.ts";
import type { WebhookHealth } from "@parley/shared/contracts/webhooks.ts";
import { Link } from "@tanstack/react-router";
import type { Column } from "../../ui/table/columns.ts";
import { STATES, StateBadge } from "./badges.tsx";
import { msText, type Range, rateText } from "./health-labels.ts";
import { healthOf, pointsOf } from "./health-points.ts";
import { Sparkline } from "./sparkline.tsx";
import type { WatchedEndpoint } from "./use-endpoints.ts";

const SHOWN_EVENTS = 3;

interface About {
  readonly agents: ReadonlyMap<string, string>;
  /** Undefined while it loads. */
  readonly health: WebhookHealth | undefined;
  readonly range: Range;
}

/** Columns of the organization's webhook endpoints, with their health. */
export function endpointColumns({ agents, health, range }: About): readonly Column<WatchedEndpoint>[] {
  const countsOf = ({ webhook }: WatchedEndpoint) => health && healthOf(health, webhook.id);
  const eventsOf = ({ webhook }: WatchedEndpoint): string => {
    const { agentId } = webhook;
    const of = agentId === null ? "" : ` from ${agents.get(agentId) ?? agentId}`;
    return `${eventsText(webhook.events)}${of}`;
  };
  return [
    {
      id: "url",
      name: "Endpoint",
      sorts: true,
      look: "long",
      text: ({ webhook }) => webhook.url,
      cell: (endpoint) => (
        <>
          <Link to="/webhooks/$id" params={{ id: endpoint.webhook.id }}>
            {endpoint.webhook.url}
          </Link>
          <p className="pf-muted hook-card-wants">{eventsOf(endpoint)}</p>
        </>
      ),
    },
    {
      id: "state",
      name: "State",
      sorts: true,
      look: "long",
      text: ({ state }) => STATES[state.kind].name,
      cell: ({ state }) => (
        <>
          <StateBadge kind={state.kind} />
          {state.kind === "disabled" && <p className="hook-card-reason">{state.reason}</p>}
        </>
      ),
    },
    {
      id: "success",
      name: "Success",
      sorts: true,
      look: "number",
      text: (endpoint) => {
        const counts = countsOf(endpoint);
        return (counts && successRate(counts)) ?? -1;
      },
      cell: (endpoint) => {
        const counts = countsOf(endpoint);
        return counts ? rateText(successRate(counts)) : "…";
      },
    },
    {
      id: "p95",
      name: "p95",
      sorts: true,
      look: "number",
      text: (endpoint) => countsOf(endpoint)?.p95Ms ?? -1,
      cell: (endpoint) => {
        const counts = countsOf(endpoint);
        return counts ? msText(counts.p95Ms) : "…";
      },
    },
    {
      id: "trend",
      name: "Trend",
      text: () => "",
      cell: ({ webhook }) => health && <Sparkline points={pointsOf(health, webhook.id)} range={range} />,
    },
  ];
}

/** The endpoint's events; long lists are counted. */
function eventsText(events: readonly string[]): string {
  if (events.includes("*")) return "All events";
  const more = events.length - SHOWN_EVENTS;
  return `${events.slice(0, SHOWN_EVENTS).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
