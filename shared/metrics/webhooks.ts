import type { Registry } from "prom-client";
import { declaring, LATENCY_BUCKETS } from "./declare.ts";

/** Deliveries to customers' endpoints. */
export function webhooksMetrics(registry: Registry) {
  const { histogram, counter, gauge } = declaring(registry);
  return {
    webhookDeliveriesTotal: counter(
      "webhook_deliveries_total",
      "Attempts to deliver webhooks by what became of the delivery. Many of dead: look at the endpoints' last_error.",
      ["status"],
    ),
    webhookDelaySeconds: histogram(
      "webhook_delay_seconds",
      "Time a receiver took to answer a delivery. High: it is the receiver; others do not wait for it.",
      LATENCY_BUCKETS,
    ),
    webhookBacklog: gauge(
      "webhook_backlog",
      "Deliveries that are due or will be tried again. Growing: receivers fail, or there are too few control APIs.",
    ),
    webhookOldestDueSeconds: gauge(
      "webhook_oldest_due_seconds",
      "How long the oldest delivery that is due has waited to be made. Growing: no control API takes them, or too few do.",
    ),
  };
}
