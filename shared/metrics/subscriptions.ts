import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** Processing of recorded events. */
export function subscriptionsMetrics(registry: Registry) {
  const { counter, gauge } = declaring(registry);
  return {
    subscriptionEventsTotal: counter(
      "subscription_events_total",
      "Recorded events by subscription and what became of them. Any of put_aside: read the log of the control APIs; they are tried again as jobs.",
      ["subscription", "outcome"],
    ),
    subscriptionLag: gauge(
      "subscription_lag",
      "Recorded events that a subscription has not passed. Growing: the database is slow, or the subscription is held up, see the log.",
      ["subscription"],
    ),
  };
}
