import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** The database as the control API sees it. */
export function databaseMetrics(registry: Registry) {
  const { counter } = declaring(registry);
  return {
    replicaReadsTotal: counter(
      "replica_reads_total",
      "Lists and searches by what answered: replica, or the primary because the replica was late, gone or failed. Many not of replica: look at its lag (pg_stat_replication) and DATABASE_REPLICA_URL.",
      ["outcome"],
    ),
  };
}
