import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** Requests to addresses of customers and carriers. */
export function egressMetrics(registry: Registry) {
  const { counter } = declaring(registry);
  return {
    egressRequestsTotal: counter(
      "egress_requests_total",
      "Requests to addresses of customers and carriers, by what for (brain, model, playback, webhook, carrier, integration) and what became of it. Many of blocked: somebody names private addresses; of unreachable or timeout for all purposes at once: look at this host's names (DNS_SERVERS) and its way out.",
      ["purpose", "outcome"],
    ),
  };
}
