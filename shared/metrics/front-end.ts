import type { Registry } from "prom-client";
import { declaring, FINE_BUCKETS } from "./declare.ts";

/** Noise suppression and voice detection. */
export function frontEndMetrics(registry: Registry) {
  const { histogram, counter, gauge } = declaring(registry);
  return {
    frontEndCalls: gauge(
      "front_end_calls",
      "Calls by how their callers are heard: noise suppressed, voice told by the model, voice told by the cheap detector. Many of webrtc while front_end_reduced is 2: the node is full, add a gateway.",
      ["heard"],
    ),
    frontEndReduced: gauge(
      "front_end_reduced",
      "0: every call gets what its agent asks for. 1: the node is busy, some calls keep their noise. 2: the cheap detector decides as well. For long: add a gateway, or turn noise suppression off for agents that need none.",
    ),
    frontEndBusyRatio: gauge(
      "front_end_busy_ratio",
      "Share of its time for which the thread of noise suppression and voice detection is busy. Over 0.8 less is done, see front_end_reduced.",
    ),
    frontEndSeconds: histogram(
      "front_end_seconds",
      "Frames handed to noise suppression and voice detection to their answer. High: its thread has no core to run on.",
      FINE_BUCKETS,
    ),
    frontEndLateTotal: counter(
      "front_end_late_total",
      "Times a call went on without an answer of noise suppression and voice detection, for seconds each time. Growing: see front_end_busy_ratio.",
    ),
    frontEndFailuresTotal: counter(
      "front_end_failures_total",
      "Times noise suppression and voice detection could not be loaded, or died; calls go on with the cheap detector. Read the log of the gateway.",
    ),
  };
}
