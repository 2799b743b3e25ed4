import type { BrainControl, Heard } from "@parley/shared/contracts/brain.ts";
import type { CallActivity, TurnMetrics } from "@parley/shared/contracts/call-socket.ts";
import type { TransferOrder } from "@parley/shared/contracts/transfers.ts";
import type { FloorDecision } from "../turn/floor-decision.ts";
import type { TurnSource } from "../turn/turn-state.ts";

/** Something that was said and will not change any more. */
export interface SpokenMessage {
  readonly turn: number;
  readonly role: "user" | "assistant";
  /** What is new since the last message of this turn; recorded. */
  readonly text: string;
  /** The turn's whole text; shown. */
  readonly wholeText: string;
  readonly interrupted: boolean;
  readonly source: Exclude<TurnSource, "call"> | "brain" | "agent";
}

/** What a conversation tells the call around it. */
export interface ConversationSink {
  onPartial(role: "user" | "assistant", text: string, turn: number): void;
  onMessage(message: SpokenMessage): void;
  onActivity(activity: CallActivity): void;
  onTurnMetrics(turn: number, metrics: TurnMetrics): void;
  /** The caller interrupts: the loudspeaker was stopped `afterMs` after enough was heard of them. */
  onHeld(afterMs: number): void;
  onFalseInterruption(): void;
  /** Something was decided about who has the floor. */
  onDecision(decision: FloorDecision): void;
  /** The caller spoke for `voiceMs`, and no words of it came in time. */
  onWordsMissing(voiceMs: number): void;
  /** Words came after they were given up. */
  onWordsLate(): void;
  onBargeIn(turn: number, heard: Heard): void;
  /** Controls that concern the call rather than the floor. */
  onControl(control: BrainControl, turn: number): void;
  onBrainFailed(error: unknown): void;
  /** The last voice failed; `inARow`: so many times since anything was spoken to its end. */
  onVoiceFailed(error: unknown, inARow: number): void;
  onPreemptive(outcome: "adopted" | "dropped"): void;
  /** What was said with a `transfer` of the brain's was played out. */
  onTransferDue(order: TransferOrder): void;
  /** What was said with a `hand_off` was played out. */
  onHandOffDue(control: Extract<BrainControl, { event: "hand_off" }>, turn: number): void;
  /** The brain's `transfer` was no order anybody could follow. */
  onTransferInvalid(): void;
  /** The farewell, or what was to be said last, was played out. */
  onLastWords(reason: string): void;
}
