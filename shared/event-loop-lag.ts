import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Gauge } from "prom-client";

const NANOSECONDS = 1e9;
const LOOP_RESOLUTION_MS = 10;

/** Makes `lag` report the 99th percentile of the event-loop delay since its last reading, in seconds. */
export function watchEventLoop(lag: Gauge): void {
  const delay = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delay.enable();
  // The histogram's own sampling interval is not a delay.
  Object.assign(lag, {
    collect: () => {
      lag.set(Math.max(0, delay.percentile(99) / NANOSECONDS - LOOP_RESOLUTION_MS / 1000));
      delay.reset();
    },
  });
}
