import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** Background work. */
export function jobsMetrics(registry: Registry) {
  const { histogram, counter, gauge } = declaring(registry);
  return {
    jobsTotal: counter(
      "jobs_total",
      "Runs of jobs by what became of them. Many of failed or dead: read the log of the control APIs; of lost: processes stall for longer than a lease.",
      ["kind", "outcome"],
    ),
    jobSeconds: histogram(
      "job_seconds",
      "Time a run of a job took. High: what it works on has grown, or the database is slow.",
      [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
      ["kind"],
    ),
    jobsDue: gauge(
      "jobs_due",
      "Jobs that are due and not begun. Growing: there are too few control APIs, or jobs take long, see job_seconds.",
      ["kind"],
    ),
    jobsOldestDueSeconds: gauge(
      "jobs_oldest_due_seconds",
      "How long the oldest job that is due has waited to be begun. Growing: no control API takes jobs, or too few do.",
      ["kind"],
    ),
    jobsDead: gauge(
      "jobs_dead",
      "Jobs that were tried for the last time and are put aside. Must be 0: look at them with scripts/dead-jobs.ts.",
      ["kind"],
    ),
  };
}
