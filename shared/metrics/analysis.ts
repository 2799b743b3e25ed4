import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

const BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 40, 60];

/** Analysis of finished calls. */
export function analysisMetrics(registry: Registry) {
  const { counter, histogram } = declaring(registry);
  return {
    analysesTotal: counter(
      "analyses_total",
      "Calls that were to be analyzed, by what became of them. Any of failed: their records say why (analysisError). Any of too_old: jobs waited for two hours, look at parley_jobs_due and at whether the model's service answers.",
      ["outcome"],
    ),
    analysisRequestsTotal: counter(
      "analysis_requests_total",
      "Requests to models that analyze calls, by what became of them. Many of refused, unavailable or deadline_exceeded: look at the model's service and its limits; an agent's own may have the wrong key.",
      ["outcome"],
    ),
    analysisTokensTotal: counter(
      "analysis_tokens_total",
      "Tokens that models which analyze calls have read (prompt) and written (completion), as their services count them: what it costs.",
      ["kind"],
    ),
    analysisSeconds: histogram(
      "analysis_seconds",
      "What analyzing a call took, by local or model. High at model: its service is slow, or transcripts are long and read in parts.",
      BUCKETS,
      ["by"],
    ),
  };
}
