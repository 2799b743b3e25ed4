import { type EventLoopUtilization, performance } from "node:perf_hooks";
import { Allotment } from "@parley/media/front-end/allotment.ts";
import { FrontEnd } from "@parley/media/front-end/front-end.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";

/** How often the node's load is checked. */
const LOOK_MS = 1_000;

export interface NodeFrontEndDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Live calls as a share of the calls the node may hold, 0 to 1. */
  readonly callShare: () => number;
}

/** A node's front end, allotted by how much room the node has. */
export interface NodeFrontEnd {
  readonly allotment: Allotment;
  close(): Promise<void>;
}

/** Opens the front end of this node. Its thread starts with the first call that wants one. */
export function openFrontEnd({ clock, log, metrics, callShare }: NodeFrontEndDeps): NodeFrontEnd {
  let slowestMs = 0;
  let hasWarned = false;
  const frontEnd = new FrontEnd({
    clock,
    onAnswer: (tookMs) => {
      slowestMs = Math.max(slowestMs, tookMs);
      metrics.frontEndSeconds.observe(tookMs / 1_000);
    },
    onFailed: (problem) => {
      metrics.frontEndFailuresTotal.inc();
      if (!hasWarned)
        log.warn(
          { event: "front_end_unavailable", err: problem },
          "failed to run the audio front end, calls go on without noise suppression and the neural voice detector",
        );
      hasWarned = true;
    },
  });
  const allotment = new Allotment(frontEnd);
  let thread: EventLoopUtilization | undefined;
  let loop = performance.eventLoopUtilization();
  const stop = clock.every(LOOK_MS, () => {
    const busy = frontEnd.busySince(thread);
    thread = busy.mark;
    const { utilization: loopBusy } = performance.eventLoopUtilization(loop);
    loop = performance.eventLoopUtilization();
    allotment.look({ threadBusy: busy.share, loopBusy, slowestMs, callShare: callShare() });
    slowestMs = 0;
    metrics.frontEndBusyRatio.set(busy.share);
    tell(allotment, metrics);
  });
  return {
    allotment,
    close: async () => {
      stop();
      await frontEnd.close();
    },
  };
}

function tell({ counts, capacity }: Allotment, metrics: Metrics): void {
  for (const [heard, calls] of Object.entries(counts)) metrics.frontEndCalls.set({ heard }, calls);
  const isWithheld = counts.denoised >= capacity.denoised;
  metrics.frontEndReduced.set(capacity.detects ? Number(isWithheld) : 2);
}
