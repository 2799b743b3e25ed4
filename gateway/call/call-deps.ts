import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { CallEventLog } from "../events/call-event-log.ts";
import type { Renewals } from "../nodes/renewals.ts";
import type { RecordingNotes } from "../recordings/recording-notes.ts";
import type { RecordingStore } from "../recordings/recording-store.ts";
import type { CallRegistry } from "./registry.ts";

/** What a call of either kind uses from its node. */
export interface CallDeps {
  readonly nodeId: string;
  readonly resumeWindowMs: number;
  readonly leadMs: number;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly recordings: RecordingStore;
  readonly recordingNotes: RecordingNotes;
  readonly events: CallEventLog;
  readonly registry: CallRegistry;
  readonly renewals: Renewals;
  readonly metrics: Metrics;
  readonly log: Logger;
}
