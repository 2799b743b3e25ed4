import type { BrainControl, Heard } from "@parley/shared/contracts/brain.ts";
import type { CallEventBody } from "@parley/shared/contracts/call-events.ts";
import type { CallActivity, DtmfDigit, TurnMetrics } from "@parley/shared/contracts/call-socket.ts";
import type { FrameData, StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { ConversationSink, SpokenMessage } from "./conversation-ports.ts";
import type { CallerLine } from "./line.ts";

export interface ReporterDeps {
  readonly line: CallerLine;
  readonly frames: { publish<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): void };
  readonly events: { append(body: CallEventBody): void };
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly onLastWords: (reason: string) => void;
}

/** Tells everybody what happens in a call: its caller, its watchers, the durable record, the SREs. */
export class CallReporter implements ConversationSink {
  readonly #deps: ReporterDeps;

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
  }

  onPartial(role: "user" | "assistant", text: string, turn: number): void {
    this.#deps.line.send({ type: "transcript", role, text, final: false, turn });
    this.#deps.frames.publish("call.transcript_partial", { turn, role, text });
  }

  onMessage({ turn, role, text, wholeText, interrupted, source }: SpokenMessage): void {
    const { line, frames, events } = this.#deps;
    line.send({ type: "transcript", role, text: wholeText, final: true, turn });
    frames.publish("call.turn", { turn, role, text, interrupted });
    events.append({ type: "call.message", turn, role, text, interrupted, source });
  }

  onActivity(state: CallActivity): void {
    this.#deps.line.send({ type: "state", state });
  }

  onTurnMetrics(turn: number, turnMetrics: TurnMetrics): void {
    const { line, events, metrics } = this.#deps;
    line.send({ type: "metrics", turn, ...turnMetrics });
    events.append({ type: "call.turn_metrics", turn, metrics: turnMetrics });
    metrics.endOfTurnSeconds.observe(turnMetrics.endOfTurnMs / 1000);
    metrics.brainFirstTokenSeconds.observe(turnMetrics.brainFirstTokenMs / 1000);
    metrics.responseSeconds.observe(turnMetrics.responseMs / 1000);
  }

  onHeld(afterMs: number): void {
    this.#deps.metrics.bargeInStopSeconds.observe(Math.max(0, afterMs) / 1000);
  }

  onFalseAlarm(): void {
    this.#deps.metrics.falseAlarmsTotal.inc();
  }

  onBargeIn(turn: number, heard: Heard): void {
    this.#deps.metrics.bargeInsTotal.inc();
    const { text: heardText, interruptedAtMs } = heard;
    this.#deps.frames.publish("call.barge_in", { turn, heardText, interruptedAtMs });
  }

  onControl(control: BrainControl, turn: number): void {
    const { line, frames, events, metrics } = this.#deps;
    if (control.event === "transfer") metrics.brainTransfersTotal.inc();
    if (control.event === "dtmf") line.send({ type: "dtmf", digits: control.digits });
    if (control.event === "node_entered") frames.publish("call.node_entered", { node: control.node });
    if (control.event === "tool") {
      const { name, status } = control;
      events.append({
        type: "call.tool_invoked",
        turn,
        name,
        arguments: control.arguments ?? null,
        result: control.result ?? null,
        status,
        latencyMs: Math.round(control.latencyMs),
      });
    }
  }

  onDigit(digit: DtmfDigit): void {
    this.#deps.frames.publish("call.dtmf", { digit });
    this.#deps.events.append({ type: "call.dtmf", digit });
  }

  onBrainFailed(error: unknown): void {
    this.#deps.log.warn({ err: messageOf(error) }, "the brain failed, the fallback line is spoken");
    const message = "The brain did not answer; the agent's fallback line is spoken.";
    this.#deps.line.send({ type: "error", code: "brain_failed", message, fatal: false });
  }

  onVoiceFailed(error: unknown): void {
    this.#deps.log.error({ err: messageOf(error) }, "every configured voice failed");
    const message = "Every configured voice failed; the answer is in the transcript only.";
    this.#deps.line.send({ type: "error", code: "speech_failed", message, fatal: false });
  }

  onSttFailed(error: unknown): void {
    this.#deps.log.error({ err: messageOf(error) }, "every configured recogniser failed");
    const message = "Every configured recogniser failed; send text messages instead.";
    this.#deps.line.send({ type: "error", code: "speech_failed", message, fatal: false });
  }

  onSpeculation(outcome: "adopted" | "dropped"): void {
    this.#deps.metrics.speculationsTotal.inc({ outcome });
  }

  onLastWords(reason: string): void {
    this.#deps.onLastWords(reason);
  }
}
