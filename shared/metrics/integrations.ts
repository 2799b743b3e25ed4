import type { Registry } from "prom-client";
import { declaring, LATENCY_BUCKETS } from "./declare.ts";

/** Requests to vendors that organizations connected. */
export function integrationsMetrics(registry: Registry) {
  const { counter, histogram } = declaring(registry);
  return {
    integrationRequestsTotal: counter(
      "integration_requests_total",
      "Requests to vendors that organizations connected, by connector and what became of them. Many of rate_limited: an organization asks more than its plan at the vendor allows; of failed, timed_out or unreachable at one connector: look at that vendor's status page; of unauthorized: credentials were revoked, their owners see it at the connection.",
      ["provider", "outcome"],
    ),
    integrationRequestSeconds: histogram(
      "integration_request_seconds",
      "Request to a connected vendor to its full answer. High: callers wait for this vendor; have the agent say something first.",
      LATENCY_BUCKETS,
      ["provider"],
    ),
  };
}
