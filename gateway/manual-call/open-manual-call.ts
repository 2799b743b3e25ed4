import type { ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import { randomToken } from "@parley/shared/security/secrets.ts";
import type { CallDeps } from "../call/call-deps.ts";
import { FramePublisher } from "../call/frames.ts";
import { joinBus } from "../call/join-bus.ts";
import { openRecording } from "../call/open-recording.ts";
import { ManualCall } from "./manual-call.ts";
import type { WavSource } from "./wav-source.ts";

const RESUME_TOKEN_BYTES = 24;

export interface ManualCallFactoryDeps extends CallDeps {
  readonly wavs: WavSource;
}

/**
 * Opens a manual call on this node and registers it synchronously: its two sockets may arrive at the same time, and the
 * second must find what the first has opened.
 */
export function openManualCall(plan: ManualPlan, deps: ManualCallFactoryDeps): ManualCall {
  const { clock, bus, metrics, registry, nodeId, resumeWindowMs, wavs } = deps;
  const { sessionId, orgId } = plan;
  const log = deps.log.child({ sessionId, organizationId: orgId, agentId: null });
  const events = deps.events.forCall({ sessionId, orgId });
  const now = (): number => clock.monotonicMs();
  const frames = new FramePublisher({ channels: bus.channels, bus, sessionId, now, log });
  let leaveBus: () => void = () => undefined;
  const call = new ManualCall({
    plan,
    nodeId,
    resumeToken: randomToken(RESUME_TOKEN_BYTES),
    resumeWindowMs,
    now,
    frames,
    events,
    wavs,
    beginRecording: () => openRecording(plan, { ...deps, log, events }),
    onEnded: ({ reason, durationSecs }) => {
      log.info({ event: "call_ended", channel: "manual", durationSecs, endReason: reason }, "call ended");
      registry.remove(sessionId);
      metrics.callsTotal.inc({ end_reason: reason });
      leaveBus();
    },
  });
  registry.add(sessionId, orgId, call);
  leaveBus = joinBus(deps, { plan, call, frames, log });
  return call;
}
