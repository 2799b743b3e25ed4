import type { BrainPart } from "@parley/shared/brain/client.ts";
import type { BrainControl, Heard } from "@parley/shared/contracts/brain.ts";
import { transferOrderSchema } from "@parley/shared/contracts/transfers.ts";
import type { TraceSpan } from "@parley/shared/tracing/tracer.ts";
import type { Reply } from "../pipeline/reply.ts";
import type { TurnTiming } from "../turn/turn-timing.ts";
import { endTurnSpan, type TurnOutcome } from "../turn/turn-trace.ts";
import type { ConversationSink } from "./conversation-ports.ts";

export type HandOffControl = Extract<BrainControl, { event: "hand_off" }>;
type TransferControl = Extract<BrainControl, { event: "transfer" }>;

/** An answer, or a line of the agent's own, from request to last sample. */
export interface SpeechHandle {
  readonly turn: number;
  readonly kind: "answer" | "line";
  /** Of a line. */
  readonly words: string | undefined;
  /** Aborts the brain's request and the voice; audio that is there already stays. */
  readonly generation: AbortController;
  readonly timing: TurnTiming;
  reply: Reply | undefined;
  /** The agent speaks first: nobody has asked anything. */
  isOpening: boolean;
  /** The call ends with this reason when the speech was played out. */
  endReason: string | undefined;
  /** The caller is handed over then. */
  transfer: TransferControl | undefined;
  /** Another agent goes on then. */
  handOff: HandOffControl | undefined;
  /** Of an answer, once the brain was asked. */
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

/** Ends the trace of an answer, where one was begun. */
export function endSpan({ span, timing }: SpeechHandle, outcome: TurnOutcome, nowMs: number): void {
  if (span) endTurnSpan(span, { timing, outcome, nowMs });
}

/** How much of a reply was heard until now. */
export function heardOf(turn: number, reply: Reply, nowMs: number): Heard {
  return { turn, text: reply.heardText(nowMs), interruptedAtMs: reply.heardMs(nowMs) };
}

/** The parts of an answer that says nothing. */
export async function* nothing(): AsyncIterable<BrainPart> {
  yield* [];
}

/** The parts of an answer that is one text. */
export async function* asParts(text: string): AsyncIterable<BrainPart> {
  yield { type: "token", text };
}

/** What was said with a transfer is over: the caller is put through, or the transfer told to be none. */
export function handOver(
  { event: _, ...order }: TransferControl,
  sink: Pick<ConversationSink, "onTransferDue" | "onTransferInvalid">,
): void {
  const parsed = transferOrderSchema.safeParse(order);
  if (parsed.success) sink.onTransferDue(parsed.data);
  else sink.onTransferInvalid();
}
