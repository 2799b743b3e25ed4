import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Tracer } from "@parley/shared/tracing/tracer.ts";
import { FramePublisher } from "../bridge/frames.ts";
import type { CallEventLog, CallEventWriter } from "../events/call-event-log.ts";
import type { RecordingNotes } from "../recordings/recording-notes.ts";
import type { RecordingStore } from "../recordings/recording-store.ts";
import { Call } from "./call.ts";
import { assembleCall } from "./call-parts.ts";
import { joinBus } from "./join-bus.ts";
import { CallRecording } from "./recording.ts";
import type { CallRegistry } from "./registry.ts";
import type { Speech } from "./speech.ts";

/** A recording that takes longer to store (an upload) is announced after the call's end. */
const STORE_BEFORE_END_MS = 3_000;
const RESUME_TOKEN_BYTES = 24;
const VAD_AGGRESSIVENESS = 2;

export interface CallFactoryDeps {
  readonly nodeId: string;
  readonly resumeWindowMs: number;
  readonly leadMs: number;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly brain: BrainClient;
  readonly speech: Speech;
  readonly recordings: RecordingStore;
  readonly recordingNotes: RecordingNotes;
  readonly events: CallEventLog;
  readonly registry: CallRegistry;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  readonly log: Logger;
}

/** Opens the call of a plan on this node and registers it. */
export async function openCall(plan: CallPlan, deps: CallFactoryDeps): Promise<Call> {
  const { clock, bus, metrics, registry, nodeId } = deps;
  const { sessionId, orgId } = plan;
  const log = deps.log.child({ sessionId });
  const events = deps.events.forCall({ sessionId, orgId });
  const recorded = await openRecording(plan, { ...deps, log, events });
  const cleanUps: (() => void)[] = [];
  const span = deps.tracer.open("call", clock.monotonicMs(), {
    "parley.session_id": sessionId,
    "parley.org_id": orgId,
  });
  const now = (): number => clock.monotonicMs();
  const frames = new FramePublisher({ channels: bus.channels, bus, sessionId, now, log });
  const parts = assembleCall(
    {
      plan,
      nodeId,
      resumeToken: randomToken(RESUME_TOKEN_BYTES),
      resumeWindowMs: deps.resumeWindowMs,
      leadMs: deps.leadMs,
      now,
      wallMs: () => clock.wallMs(),
      sleep: (ms, signal) => sleep(clock, ms, signal),
      after: (ms, fn) => clock.after(ms, fn),
      vad: await createVad(VAD_AGGRESSIVENESS),
      openStt: deps.speech.sttFor(plan, log),
      recognition: deps.speech.recognitionFor(plan),
      openVoice: deps.speech.voiceFor(plan, log),
      brain: deps.brain,
      recording: recorded?.recording,
      storeRecording: async () => recorded?.store(),
      frames,
      events,
      metrics,
      span,
      log,
      onEnded: (reason) => {
        span.end(clock.monotonicMs(), { "parley.end_reason": reason });
        registry.remove(sessionId);
        metrics.callsTotal.inc({ end_reason: reason });
        for (const cleanUp of cleanUps) cleanUp();
      },
    },
    (reason) => call.end(reason),
  );
  const call: Call = new Call(parts);
  registry.add(sessionId, call);
  cleanUps.push(joinBus(deps, { plan, call, frames, log }));
  return call;
}

interface RecordedCall {
  readonly recording: CallRecording;
  /** Stores it and announces it; resolves when that is done or takes too long to wait for. */
  store(): Promise<void>;
}

async function openRecording(
  plan: CallPlan,
  deps: Omit<CallFactoryDeps, "events"> & { events: CallEventWriter },
): Promise<RecordedCall | undefined> {
  if (!plan.recording) return undefined;
  const { clock, log, metrics, events, recordingNotes: notes } = deps;
  const { orgId, sessionId } = plan;
  const recordingId = newId("rec");
  const key = `${orgId}/${sessionId}/${recordingId}.wav`;
  const failed = (error: unknown): void => {
    notes.giveUp(recordingId);
    metrics.recordingsFailedTotal.inc();
    log.error({ err: messageOf(error) }, "the recording failed, the call goes on");
  };
  try {
    await notes.begin({ recordingId, sessionId, orgId, key });
    const now = (): number => clock.monotonicMs();
    const recording = new CallRecording(await deps.recordings.create(key), { now, leadMs: deps.leadMs });
    const store = async (): Promise<void> => {
      const stored = recording
        .finish()
        .then(async (made) => {
          const isTold = events.append({ type: "recording.ready", recordingId, key, ...made });
          if (isTold) await notes.settle(recordingId);
        })
        .catch(failed);
      const patience = new AbortController();
      await Promise.race([stored, sleep(clock, STORE_BEFORE_END_MS, patience.signal)]);
      patience.abort();
    };
    return { recording, store };
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** Resolves after `ms`, or at once when `signal` is aborted. */
function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const cancel = clock.after(ms, resolve);
    signal.addEventListener(
      "abort",
      () => {
        cancel();
        resolve();
      },
      { once: true },
    );
  });
}
