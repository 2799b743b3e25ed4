import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { Heard } from "@parley/shared/contracts/brain.ts";
import type { BrainControl } from "@parley/shared/contracts/brain-control.ts";
import { transferOrderSchema } from "@parley/shared/contracts/transfers.ts";
import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import type { Reply } from "../pipeline/reply.ts";
import type { TurnTiming } from "../turn/turn-timing.ts";
import { endTurnSpan, type TurnOutcome } from "../turn/turn-trace.ts";
import type { ConversationSink } from "./conversation-ports.ts";

export type HandOffControl = Extract<BrainControl, { event: "hand_off" }>;
type TransferControl = Extract<BrainControl, { event: "transfer" }>;

/** An answer or a line of the agent's own, from request to last sample. */
export interface SpeechHandle {
  readonly turn: number;
  readonly kind: "answer" | "line";
  /** The text of a line; undefined for an answer. */
  readonly words: string | undefined;
  /** Aborts the brain's request and the voice; audio already produced stays. */
  readonly generation: AbortController;
  readonly timing: TurnTiming;
  reply: Reply | undefined;
  /** True if the agent speaks first, without a question to answer. */
  isOpening: boolean;
  /** Reason with which the call ends once the speech was played out. */
  endReason: string | undefined;
  /** Transfer to carry out once the speech was played out. */
  transfer: TransferControl | undefined;
  /** Hand-off to another agent once the speech was played out. */
  handOff: HandOffControl | undefined;
  /** The trace span of an answer, once the brain was asked. */
  span: TraceSpan | undefined;
}

export function newSpeechHandle(
  turn: number,
  kind: SpeechHandle["kind"],
  timing: TurnTiming,
  words?: string,
): SpeechHandle {
  return {
    turn,
    kind,
    words,
    timing,
    generation: new AbortController(),
    reply: undefined,
    isOpening: false,
    endReason: undefined,
    transfer: undefined,
    handOff: undefined,
    span: undefined,
  };
}

/** Ends the trace span of an answer, if there is one. */
export function endSpan({ span, timing }: SpeechHandle, outcome: TurnOutcome, nowMs: number): void {
  if (span) endTurnSpan(span, { timing, outcome, nowMs });
}

/** How much of a reply was heard up to `nowMs`. */
export function heardOf(turn: number, reply: Reply, nowMs: number): Heard {
  return { turn, text: reply.heardText(nowMs), interruptedAtMs: reply.heardMs(nowMs) };
}

/** The parts of an empty answer. */
export async function* nothing(): AsyncIterable<BrainPart> {
  yield* [];
}

/** The parts of an answer that consists of one text. */
export async function* asParts(text: string): AsyncIterable<BrainPart> {
  yield { type: "token", text };
}

/** Acts on the end of a speech that came with a transfer: puts the caller through, or reports the order as invalid. */
export function handOver(
  { event: _, ...order }: TransferControl,
  sink: Pick<ConversationSink, "onTransferDue" | "onTransferInvalid">,
): void {
  const parsed = transferOrderSchema.safeParse(order);
  if (parsed.success) sink.onTransferDue(parsed.data);
  else sink.onTransferInvalid();
}
