import type { Clock } from "@parley/shared/clock.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { CallEventWriter } from "../events/call-event-log.ts";
import type { RecordingNotes } from "../recordings/recording-notes.ts";
import type { RecordingStore } from "../recordings/recording-store.ts";
import { CallRecording } from "./recording.ts";
import { sleep } from "./sleep.ts";

/** A recording that takes longer to store (an upload) is announced after the call's end. */
const STORE_BEFORE_END_MS = 3_000;

export interface RecordingDeps {
  readonly leadMs: number;
  readonly clock: Clock;
  readonly recordings: RecordingStore;
  readonly recordingNotes: RecordingNotes;
  readonly events: CallEventWriter;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export interface RecordedCall {
  readonly recording: CallRecording;
  /** Stores and announces the recording; resolves when that is done or takes too long to wait for. */
  store(): Promise<void>;
}

/** Opens the call's recording. Undefined if the call is not to be recorded or cannot be; the call goes on without. */
export async function openRecording(
  plan: Pick<CallPlan, "recording" | "orgId" | "sessionId">,
  deps: RecordingDeps,
): Promise<RecordedCall | undefined> {
  if (!plan.recording) return undefined;
  const { clock, log, metrics, events, recordingNotes: notes } = deps;
  const { orgId, sessionId } = plan;
  const recordingId = newId("rec");
  const key = `${orgId}/${sessionId}/${recordingId}.wav`;
  let hasFailed = false;
  const failed = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    metrics.recordingsFailedTotal.inc();
    log.error({ event: "recording_failed", err: messageOf(error) }, "failed to record, the call goes on");
  };
  /** Notes a write failure during the call; what was written is announced once the call is over. */
  const cutShort = (error: Error): void => {
    failed(error);
    notes.markPartial(recordingId).catch((cause: unknown) => {
      log.warn(
        { event: "recording_partial_not_saved", err: messageOf(cause) },
        "failed to note that the recording is partial",
      );
    });
  };
  try {
    await notes.begin({ recordingId, sessionId, orgId, key });
    const now = (): number => clock.monotonicMs();
    const recording = new CallRecording(await deps.recordings.create(key, cutShort), {
      now,
      leadMs: deps.leadMs,
    });
    const store = async (): Promise<void> => {
      const stored = recording
        .finish()
        .then(async (made) => {
          const isTold = events.append({ type: "recording.ready", recordingId, key, ...made });
          if (isTold) await notes.settle(recordingId);
        })
        .catch((error: unknown) => {
          failed(error);
          notes.giveUp(recordingId);
        });
      const patience = new AbortController();
      await Promise.race([stored, sleep(clock, STORE_BEFORE_END_MS, patience.signal)]);
      patience.abort();
    };
    return { recording, store };
  } catch (error) {
    failed(error);
    notes.giveUp(recordingId);
    return undefined;
  }
}
