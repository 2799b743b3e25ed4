import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import type { CallActivity, TurnMetrics } from "@parley/shared/contracts/call-socket.ts";
import type { TransferOrder } from "@parley/shared/contracts/transfers.ts";
import type { FloorDecision } from "../turn/floor-decision.ts";
import type { TurnSource } from "../turn/turn-state.ts";

/** Something that was said and will not change any more. */
export interface SpokenMessage {
  readonly turn: number;
  readonly role: "user" | "assistant";
  /** What is new since the last message of this turn; goes into the record. */
  readonly text: string;
  /** The turn's whole text, for display. */
  readonly wholeText: string;
  readonly interrupted: boolean;
  readonly source: Exclude<TurnSource, "call"> | "brain" | "agent";
}

/** What a conversation reports to the call around it. */
export interface ConversationSink {
  onPartial(role: "user" | "assistant", text: string, turn: number): void;
  onMessage(message: SpokenMessage): void;
  onActivity(activity: CallActivity): void;
  onTurnMetrics(turn: number, metrics: TurnMetrics): void;
  /** The caller interrupts: the loudspeaker stopped `afterMs` after enough of their speech was heard. */
  onHeld(afterMs: number): void;
  onFalseInterruption(): void;
  /** A decision about who has the floor. */
  onDecision(decision: FloorDecision): void;
  /** The caller spoke for `voiceMs`, but no words arrived in time. */
  onWordsMissing(voiceMs: number): void;
  /** Words arrived after they had been given up. */
  onWordsLate(): void;
  onBargeIn(turn: number, heard: Heard): void;
  /** Controls that concern the call rather than the floor. */
  onControl(control: BrainControl, turn: number): void;
  onBrainFailed(error: unknown): void;
  /** The last voice failed; `inARow` counts the failures since a speech was last spoken to its end. */
  onVoiceFailed(error: unknown, inARow: number): void;
  onPreemptive(outcome: "adopted" | "dropped"): void;
  /** The speech that came with the brain's `transfer` was played out. */
  onTransferDue(order: TransferOrder): void;
  /** The speech that came with a `hand_off` was played out. */
  onHandOffDue(control: Extract<BrainControl, { event: "hand_off" }>, turn: number): void;
  /** The brain's `transfer` was not a valid order. */
  onTransferInvalid(): void;
  /** The farewell or other last words were played out. */
  onLastWords(reason: string): void;
}
