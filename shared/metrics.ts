import { collectDefaultMetrics, Registry } from "prom-client";
import { watchEventLoop } from "./event-loop-lag.ts";
import { analysisMetrics } from "./metrics/analysis.ts";
import { brainsMetrics } from "./metrics/brains.ts";
import { capacityMetrics } from "./metrics/capacity.ts";
import { chatMetrics } from "./metrics/chat.ts";
import { controlApiMetrics } from "./metrics/control-api.ts";
import { databaseMetrics } from "./metrics/database.ts";
import { egressMetrics } from "./metrics/egress.ts";
import { eventsMetrics } from "./metrics/events.ts";
import { frontEndMetrics } from "./metrics/front-end.ts";
import { gatewayMetrics } from "./metrics/gateway.ts";
import { integrationsMetrics } from "./metrics/integrations.ts";
import { jobsMetrics } from "./metrics/jobs.ts";
import { knowledgeMetrics } from "./metrics/knowledge.ts";
import { latencyMetrics } from "./metrics/latency.ts";
import { messagingMetrics } from "./metrics/messaging.ts";
import { speechMetrics } from "./metrics/speech.ts";
import { subscriptionsMetrics } from "./metrics/subscriptions.ts";
import { turnTakingMetrics } from "./metrics/turn-taking.ts";
import { webhooksMetrics } from "./metrics/webhooks.ts";

/**
 * Every metric of Parley, each declared once in the file of `metrics/` for its subject. Names start with `parley_`,
 * times are in seconds, sizes in bytes; labels are few and never ids. Each help text says what to do when the figure
 * is bad.
 */
export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const declared = {
    ...gatewayMetrics(registry),
    ...latencyMetrics(registry),
    ...turnTakingMetrics(registry),
    ...speechMetrics(registry),
    ...frontEndMetrics(registry),
    ...brainsMetrics(registry),
    ...eventsMetrics(registry),
    ...controlApiMetrics(registry),
    ...databaseMetrics(registry),
    ...jobsMetrics(registry),
    ...subscriptionsMetrics(registry),
    ...webhooksMetrics(registry),
    ...egressMetrics(registry),
    ...integrationsMetrics(registry),
    ...knowledgeMetrics(registry),
    ...analysisMetrics(registry),
    ...chatMetrics(registry),
    ...messagingMetrics(registry),
    ...capacityMetrics(registry),
  };
  watchEventLoop(declared.eventLoopLagSeconds);
  return {
    ...declared,
    contentType: registry.contentType,
    text: (): Promise<string> => registry.metrics(),
  };
}
