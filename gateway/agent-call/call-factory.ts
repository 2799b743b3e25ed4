import type { EndOfTurnModel } from "@parley/media/end-of-turn/end-of-turn-model.ts";
import type { Allotment } from "@parley/media/front-end/allotment.ts";
import { createVad } from "@parley/media/vad/webrtc-vad.ts";
import type { BrainClient } from "@parley/shared/brain/client.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { Tracer } from "@parley/shared/tracing/tracer.ts";
import type { CallDeps } from "../call/call-deps.ts";
import { FramePublisher } from "../call/frames.ts";
import { joinBus } from "../call/join-bus.ts";
import { openRecording } from "../call/open-recording.ts";
import { sleep } from "../call/sleep.ts";
import { Hearing } from "../pipeline/hearing.ts";
import { Call } from "./call.ts";
import { assembleCall } from "./call-parts.ts";
import { CallTally } from "./call-tally.ts";
import type { Speech } from "./speech.ts";

const RESUME_TOKEN_BYTES = 24;
/** By this time the caller has been greeted and will probably stay. */
const KEEP_LINES_AFTER_MS = 4_000;
const VAD_AGGRESSIVENESS = 2;

export interface CallFactoryDeps extends CallDeps {
  readonly brain: BrainClient;
  /** The operator's end-of-turn model, if one is configured. */
  readonly endOfTurn: EndOfTurnModel | undefined;
  readonly speech: Speech;
  /** Undefined on a node without a front end. */
  readonly frontEnd: Allotment | undefined;
  readonly tracer: Tracer;
}

/** Opens the call that a plan describes on this node and registers it. */
export async function openCall(plan: CallPlan, deps: CallFactoryDeps): Promise<Call> {
  const { clock, bus, metrics, registry, nodeId } = deps;
  const { sessionId, orgId } = plan;
  const log = deps.log.child({ sessionId, organizationId: orgId, agentId: plan.agentId });
  const tally = new CallTally();
  const events = deps.events.forCall({ sessionId, orgId });
  const recorded = await openRecording(plan, { ...deps, log, events });
  const cleanUps: (() => void)[] = [];
  const now = (): number => clock.monotonicMs();
  const span = deps.tracer.open("call", now(), { "parley.session_id": sessionId, "parley.org_id": orgId });
  const voice = deps.speech.voiceFor(plan, log);
  const frames = new FramePublisher({ channels: bus.channels, bus, sessionId, now, log });
  const parts = assembleCall(
    {
      plan,
      nodeId,
      resumeToken: randomToken(RESUME_TOKEN_BYTES),
      resumeWindowMs: deps.resumeWindowMs,
      leadMs: deps.leadMs,
      now,
      sleep: (ms, signal) => sleep(clock, ms, signal),
      after: (ms, fn) => clock.after(ms, fn),
      frontEnd: new Hearing({
        vad: await createVad(VAD_AGGRESSIVENESS),
        frontEnd: deps.frontEnd?.open(plan.hearing),
        now,
        onLate: () => metrics.frontEndLateTotal.inc(),
      }),
      openStt: deps.speech.sttFor(plan, log),
      recognition: deps.speech.recognitionFor(plan),
      openVoice: (signal) => voice.open(signal),
      voiceOf: ({ tts, sound }) => deps.speech.voiceFor({ ...plan, tts, sound }, log).open,
      brain: deps.brain,
      endOfTurn: deps.endOfTurn,
      recording: recorded?.recording,
      storeRecording: async () => recorded?.store(),
      frames,
      events,
      metrics,
      span,
      log,
      tally,
      onEnded: ({ reason, durationSecs }) => {
        const ended = { event: "call_ended", channel: call.channel, durationSecs, endReason: reason };
        log.info({ ...ended, ...tally.fields() }, "call ended");
        span.end(clock.monotonicMs(), { "parley.end_reason": reason });
        registry.remove(sessionId);
        metrics.callsTotal.inc({ end_reason: reason });
        for (const cleanUp of cleanUps) cleanUp();
      },
    },
    {
      onLastWords: (reason) => call.end(reason),
      onTransferInvalid: () => call.transferFailed("invalid", true),
      onHandOffDue: (control, turn) => call.handOff(control, turn),
      onVoiceFailed: (inARow) => call.voiceFailed(inARow),
    },
  );
  const call: Call = new Call(parts);
  registry.add(sessionId, orgId, call);
  const over = new AbortController();
  const cancelKeeping = clock.after(KEEP_LINES_AFTER_MS, () => void voice.keepLines(over.signal));
  cleanUps.push(() => {
    cancelKeeping();
    over.abort();
  });
  cleanUps.push(joinBus(deps, { plan, call, frames, log }));
  return call;
}
