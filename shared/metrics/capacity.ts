import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** Remaining capacity and availability of the stores: what runs out before anything fails. */
export function capacityMetrics(registry: Registry) {
  const { gauge } = declaring(registry);
  return {
    maxCalls: gauge(
      "max_calls",
      "Calls this node may hold (MAX_CALLS); 0 on control APIs. live_calls near it: add a gateway.",
    ),
    callsShare: gauge(
      "calls_share",
      "Calls of what this node may hold, 0 to 1, which Kubernetes scales gateways by. High on all: add a gateway.",
    ),
    eventSpillMax: gauge(
      "event_spill_max",
      "Call events this node may keep while the bus is away (EVENT_SPILL_MAX); 0 on control APIs. event_spill_size near it: bring Redis back.",
    ),
    databaseReady: gauge(
      "database_ready",
      "1 while this control API reaches Postgres; 0 on gateways, which have none. 0: the API answers 503, calls go on; bring Postgres back.",
    ),
    dataDiskFreeBytes: gauge(
      "data_disk_free_bytes",
      "Room left on the disk of DATA_DIR. Shrinking: recordings are lost when it is full; delete or upload some.",
    ),
    dataDiskSizeBytes: gauge(
      "data_disk_size_bytes",
      "Size of the disk of DATA_DIR; see data_disk_free_bytes.",
    ),
  };
}
