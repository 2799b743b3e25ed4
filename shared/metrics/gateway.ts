import type { Registry } from "prom-client";
import { declaring } from "./declare.ts";

/** Calls and sockets of one gateway. */
export function gatewayMetrics(registry: Registry) {
  const { counter, gauge } = declaring(registry);
  return {
    liveCalls: gauge(
      "live_calls",
      "Calls this node holds. Near MAX_CALLS: new ones go elsewhere; add a gateway.",
    ),
    callsTotal: counter(
      "calls_total",
      "Calls ended on this node, by reason. Many internal_error or node_draining: read the log of that node.",
      ["end_reason"],
    ),
    phoneCallsTotal: counter(
      "phone_calls_total",
      "Phone calls that are over, by carrier and outcome. Many failed: the carrier refuses the account or its numbers, read what it answers; many no-answer at once: look whether the numbers are marked as spam.",
      ["carrier", "outcome"],
    ),
    callSockets: gauge(
      "call_sockets",
      "Open call sockets, started or not. Far above live_calls: clients connect and never start.",
    ),
    watchers: gauge(
      "watchers",
      "Open stream sockets. Thousands on one node: spread watchers over the gateways.",
    ),
    callDropsTotal: counter(
      "call_drops_total",
      "Callers' sockets that broke in mid-call. Far above call_resumes_total: callers vanish; look at load balancers and their networks.",
    ),
    callResumesTotal: counter(
      "call_resumes_total",
      "Calls that a caller came back to after a drop. Compare with call_drops_total.",
    ),
    refusedUpgradesTotal: counter(
      "refused_upgrades_total",
      "Sockets refused before the upgrade, by reason. unauthorized: clocks or keys differ between processes.",
      ["reason"],
    ),
    socketErrorsTotal: counter(
      "socket_errors_total",
      "What callers' apps and carriers sent that was wrong, by code. A rise after a release means a client sends something wrong.",
      ["code"],
    ),
    socketMessagesDroppedTotal: counter(
      "socket_messages_dropped_total",
      "Messages dropped: floods, audio faster than real time, readers too slow.",
      ["reason"],
    ),
    watcherFramesDroppedTotal: counter(
      "watcher_frames_dropped_total",
      "Frames slow watchers missed. Growing: their network or browser is too slow; WATCHER_BUFFER_BYTES bounds what waits.",
    ),
    draining: gauge(
      "draining",
      "1 while the node takes no new calls. Longer than DRAIN_TIMEOUT_MS: it hangs; look at its log.",
    ),
    eventLoopLagSeconds: gauge(
      "event_loop_lag_seconds",
      "99th percentile of the event loop's delay over the last seconds. Over 0.02 audio begins to suffer: fewer calls a node.",
    ),
  };
}
