import type { Registry } from "prom-client";
import { declaring, FINE_BUCKETS } from "./declare.ts";

/** Call events and recordings on their way to storage. */
export function eventsMetrics(registry: Registry) {
  const { histogram, counter, gauge } = declaring(registry);
  return {
    busPublishSeconds: histogram(
      "bus_publish_seconds",
      "Time to append to the durable stream. High: Redis is slow or far.",
      FINE_BUCKETS,
    ),
    busReady: gauge(
      "bus_ready",
      "1 while the bus is reachable. 0: calls go on, events wait on the node; bring Redis back.",
    ),
    callEventsTotal: counter(
      "call_events_total",
      "Call events handed to the durable stream. Zero while calls live: see bus_ready.",
      ["type"],
    ),
    callEventsSpilledTotal: counter(
      "call_events_spilled_total",
      "Events that had to wait because the bus was away. Growing: bring Redis back, see event_spill_size.",
    ),
    callEventsLostTotal: counter(
      "call_events_lost_total",
      "Events dropped because the spill was full. Must be 0: raise EVENT_SPILL_MAX or repair the bus sooner.",
    ),
    eventSpillSize: gauge(
      "event_spill_size",
      "Events waiting for the bus. Growing: the bus is away or too slow.",
    ),
    recordingsFailedTotal: counter(
      "recordings_failed_total",
      "Recordings given up: disk full, store away. The calls went on.",
    ),
    recorderAppliedTotal: counter(
      "recorder_applied_total",
      "Call events written to the database. Flat while recorder_backlog grows: look at the database.",
      ["type"],
    ),
    recorderDuplicatesTotal: counter(
      "recorder_duplicates_total",
      "Call events delivered again and ignored; some are normal after a restart.",
    ),
    recorderErrorsTotal: counter(
      "recorder_errors_total",
      "Times the event projector could not write. Growing: look at the database.",
    ),
    recorderDeadTotal: counter(
      "recorder_dead_total",
      "Call events that can never be recorded and were put aside. Must be 0: look at them with scripts/dead-events.ts.",
    ),
    recorderGapsTotal: counter(
      "recorder_gaps_total",
      "Calls whose end was recorded although something before it never came. With callEventsLost: expected; else read the log.",
    ),
    recorderBacklog: gauge(
      "recorder_backlog",
      "Call events not written to the database yet, counted in the bus each few seconds. Growing: add control-api processes or repair the database.",
    ),
  };
}
