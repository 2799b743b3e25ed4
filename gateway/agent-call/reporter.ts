import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import type { DtmfDigit } from "@parley/shared/contracts/call-constants.ts";
import type { CallEventBody } from "@parley/shared/contracts/call-events.ts";
import type { CallPlan } from "@parley/shared/contracts/call-plan.ts";
import type { CallActivity, TurnMetrics } from "@parley/shared/contracts/call-socket.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import type { TransferOrder } from "@parley/shared/contracts/transfers.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { CallerLine } from "../call/line.ts";
import type { FloorDecision } from "../turn/floor-decision.ts";
import type { CallJudge } from "./call-judge.ts";
import type { CallTally } from "./call-tally.ts";
import type { ConversationSink, SpokenMessage } from "./conversation-ports.ts";
import type { FloorRecord } from "./floor-record.ts";
import type { Events, RedactingSink } from "./redacting-sink.ts";

export interface ReporterDeps {
  readonly plan: Pick<CallPlan, "channel">;
  readonly line: CallerLine;
  /** Everything except messages on the caller's own line passes through this sink. */
  readonly redacting: RedactingSink;
  readonly events: Events;
  /** Receives what was said, so that the end-of-turn model reads along. */
  readonly judge: Pick<CallJudge, "add">;
  readonly metrics: Metrics;
  readonly tally: CallTally;
  readonly floor: FloorRecord;
  /** The longest stretch of the last `ms` in which the caller heard nothing. */
  readonly silentMs: (ms: number) => number;
  readonly log: Logger;
  readonly onLastWords: (reason: string) => void;
  readonly onTransferInvalid: () => void;
  readonly onHandOffDue: ConversationSink["onHandOffDue"];
  readonly onVoiceFailed: (inARow: number) => void;
}

/** Reports what happens in a call to its caller, its watchers, the durable record and the SREs. */
export class CallReporter implements ConversationSink {
  readonly #deps: ReporterDeps;

  constructor(deps: ReporterDeps) {
    this.#deps = deps;
  }

  onPartial(role: "user" | "assistant", text: string, turn: number): void {
    this.#deps.line.send({ type: "transcript", role, text, final: false, turn });
    this.#deps.redacting.publish("call.transcript_partial", { turn, role, text });
  }

  onMessage(said: SpokenMessage): void {
    const { line, redacting, judge } = this.#deps;
    const { wholeText, ...message } = said;
    judge.add(said);
    const { role, turn, interrupted } = message;
    const cut = interrupted ? { interrupted } : {};
    line.send({ type: "transcript", role, text: wholeText, final: true, turn, ...cut });
    redacting.message(message);
  }

  onActivity(state: CallActivity): void {
    this.#deps.line.send({ type: "state", state });
  }

  onTurnMetrics(turn: number, turnMetrics: TurnMetrics): void {
    const { line, redacting, metrics, tally, floor, silentMs } = this.#deps;
    const deadAirMs = silentMs(turnMetrics.responseMs);
    tally.answered({ ...turnMetrics, deadAirMs });
    metrics.deadAirSeconds.observe(deadAirMs / 1000);
    line.send({ type: "metrics", turn, ...turnMetrics });
    redacting.append({ type: "call.turn_metrics", turn, metrics: turnMetrics, ...floor.take() });
    metrics.endOfTurnSeconds.observe(turnMetrics.endOfTurnMs / 1000);
    metrics.brainRequestSeconds.observe(turnMetrics.brainRequestMs / 1000);
    metrics.firstClauseSeconds.observe(turnMetrics.firstClauseMs / 1000);
    metrics.brainFirstTokenSeconds.observe(turnMetrics.brainFirstTokenMs / 1000);
    metrics.responseSeconds.observe(turnMetrics.responseMs / 1000);
  }

  onHeld(afterMs: number): void {
    this.#deps.metrics.bargeInStopSeconds.observe(Math.max(0, afterMs) / 1000);
  }

  onDecision(made: FloorDecision): void {
    const { decision, reason } = made;
    this.#deps.metrics.floorDecisionsTotal.inc({ decision, reason });
    this.#deps.floor.add(made);
  }

  onFalseInterruption(): void {
    this.#deps.metrics.falseAlarmsTotal.inc();
  }

  onWordsMissing(voiceMs: number): void {
    const { line, log, metrics } = this.#deps;
    metrics.utterancesUnrecognisedTotal.inc();
    log.warn({ event: "recognizer_late", voiceMs }, "the recognizer gave no words for a voice in time");
    const message =
      "The caller spoke and the recognizer gave no words in time; they still count when they come.";
    line.send({ type: "error", code: "speech_late", message, fatal: false });
  }

  onWordsLate(): void {
    this.#deps.metrics.sttLateFinalsTotal.inc();
  }

  onBargeIn(turn: number, heard: Heard): void {
    this.#deps.metrics.bargeInsTotal.inc();
    const { text: heardText, interruptedAtMs } = heard;
    this.#deps.redacting.publish("call.barge_in", { turn, heardText, interruptedAtMs });
  }

  onControl(control: BrainControl, turn: number): void {
    const { line, redacting, metrics } = this.#deps;
    switch (control.event) {
      case "transfer":
        metrics.brainTransfersTotal.inc();
        break;
      case "dtmf":
        line.send({ type: "dtmf", digits: control.digits });
        break;
      case "node_entered":
        redacting.publish("call.node_entered", { node: control.node });
        redacting.append({ type: "call.node_entered", turn, node: control.node });
        break;
      case "tool":
        redacting.append(toolInvoked(control, turn));
        break;
      case "call_end":
      case "tool_call":
      case "clear":
      case "flush":
      case "listen":
      case "hand_off":
        break;
      default:
        control satisfies never;
    }
  }

  /** Bypasses the redaction queue: a person is waiting on the line. In a rehearsal nobody is, and nobody is called. */
  onTransferDue(order: TransferOrder): void {
    const { events, redacting, plan, onLastWords } = this.#deps;
    if (plan.channel === SIMULATION) {
      onLastWords("transferred");
      return;
    }
    const { to, mode, whisper } = order;
    const told = whisper === undefined ? {} : { whisper };
    events.append(redacting.mask({ type: "call.transfer_requested", to, mode, ...told }));
  }

  onHandOffDue(control: Extract<BrainControl, { event: "hand_off" }>, turn: number): void {
    this.#deps.onHandOffDue(control, turn);
  }

  onTransferInvalid(): void {
    this.#deps.log.warn({ event: "brain_transfer_invalid" }, "the brain sent an invalid transfer");
    this.#deps.onTransferInvalid();
  }

  onDigit(digit: DtmfDigit): void {
    this.#deps.redacting.publish("call.dtmf", { digit });
    this.#deps.redacting.append({ type: "call.dtmf", digit });
  }

  onBrainFailed(error: unknown): void {
    this.#deps.log.warn(
      { event: "brain_failed", err: messageOf(error) },
      "the brain failed, the fallback line is spoken",
    );
    const message = "The brain did not answer; the agent's fallback line is spoken.";
    this.#deps.line.send({ type: "error", code: "brain_failed", message, fatal: false });
  }

  onVoiceFailed(error: unknown, inARow: number): void {
    this.#deps.metrics.speechLostTotal.inc({ kind: "tts" });
    this.#deps.log.error(
      { event: "every_voice_failed", err: messageOf(error) },
      "every configured voice failed",
    );
    const message = "Every configured voice failed; the rest of the answer is not spoken.";
    this.#deps.line.send({ type: "error", code: "speech_failed", message, fatal: false });
    this.#deps.onVoiceFailed(inARow);
  }

  onSttFailed(error: unknown): void {
    this.#deps.metrics.speechLostTotal.inc({ kind: "stt" });
    this.#deps.log.error(
      { event: "every_recognizer_failed", err: messageOf(error) },
      "every configured recognizer failed",
    );
    const message = "Every configured recognizer failed; send text messages instead.";
    this.#deps.line.send({ type: "error", code: "speech_failed", message, fatal: false });
  }

  onSttRecovered(): void {
    this.#deps.log.info({ event: "recognizer_recovered" }, "a recognizer works again");
  }

  onPreemptive(outcome: "adopted" | "dropped"): void {
    this.#deps.metrics.speculationsTotal.inc({ outcome });
  }

  onLastWords(reason: string): void {
    this.#deps.onLastWords(reason);
  }
}

function toolInvoked(tool: Extract<BrainControl, { event: "tool" }>, turn: number): CallEventBody {
  const { name, status } = tool;
  return {
    type: "call.tool_invoked",
    turn,
    name,
    arguments: tool.arguments ?? null,
    result: tool.result ?? null,
    status,
    latencyMs: Math.round(tool.latencyMs),
  };
}
