import type { Registry } from "prom-client";
import { declaring, LATENCY_BUCKETS } from "./declare.ts";

/** Outcomes of requests to brains and models. */
export function brainsMetrics(registry: Registry) {
  const { counter, histogram } = declaring(registry);
  return {
    toolRunSeconds: histogram(
      "tool_run_seconds",
      "A brain called a tool to its result being there, by kind of tool and outcome. High: the vendor behind it is slow; callers hear the waiting line meanwhile. Many errors: see what tool.invoked says of them.",
      LATENCY_BUCKETS,
      ["kind", "outcome"],
    ),
    brainErrorsTotal: counter(
      "brain_errors_total",
      "Turns a brain failed, by cause. Tell the owner of the brain.",
      ["cause"],
    ),
    brainUnknownEventsTotal: counter(
      "brain_unknown_events_total",
      "Control events no gateway knows. A brain is newer than this gateway, or misspells.",
    ),
    brainStreamsWithoutDoneTotal: counter(
      "brain_streams_without_done_total",
      "Answers that ended without [DONE]. Harmless, but the brain may be cut off by a proxy.",
    ),
    brainTransfersTotal: counter(
      "brain_transfers_total",
      "Times a brain asked to hand its caller over. Compare with the transfers that were made.",
    ),
    speculationsTotal: counter(
      "speculations_total",
      "Brain requests made ahead of the end of a turn. Many dropped: switch endpointing.speculative off to save the brain's money.",
      ["outcome"],
    ),
  };
}
