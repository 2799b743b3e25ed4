import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { UsageMetric } from "@parley/shared/contracts/billing.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { CHAT_CHANNEL, isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { OWN_VENDOR } from "../prices/choose-price.ts";

/** The types of events that something is counted of. */
export const METERED_EVENTS = [
  "call.message",
  "call.tokens_used",
  "call.ended",
] as const satisfies readonly CallEvent["type"][];

const MS_PER_SEC = 1_000;
/** A telephone's words are recognized by whatever the gateway has when the agent names nobody. */
const GATEWAYS_CHOICE = "gateway";

/** What is known of the call an event belongs to. */
export interface MeteredCall {
  readonly sessionId: string;
  readonly orgId: string;
  /** Null for manual calls. */
  readonly agentId: string | null;
  readonly channel: string;
  readonly carrier: string | null;
  readonly startedAt: Date | null;
  /** The agent's, first one first; empty without an agent. */
  readonly sttVendors: readonly string[];
  readonly ttsVendors: readonly string[];
}

/** Something that was used. */
export interface Measured {
  /** With the metric what makes it one: the same source is counted once, however often it is told. */
  readonly source: string;
  readonly metric: UsageMetric;
  readonly vendor: string;
  readonly quantity: bigint;
}

/** What an event says was used; nothing of events that cost nothing. */
export function measure(event: CallEvent, call: MeteredCall): Measured[] {
  return measuredOf(event, call).filter(({ quantity }) => quantity > 0n);
}

function measuredOf(event: CallEvent, call: MeteredCall): Measured[] {
  switch (event.type) {
    case "call.ended":
      return ofEnd(event, call);
    case "call.tokens_used":
      return ofTokens(event.id, event);
    default:
      return ofMessage(event, call);
  }
}

/** What one request to a model used, as two lines of one source. */
export function ofTokens(
  source: string,
  { model, isOwn, inputTokens, outputTokens }: ModelTokens,
): Measured[] {
  const vendor = isOwn ? OWN_VENDOR : model;
  return [
    { source, metric: "llm_input_tokens", vendor, quantity: BigInt(inputTokens) },
    { source, metric: "llm_output_tokens", vendor, quantity: BigInt(outputTokens) },
  ];
}

/** A call may be told to have ended by its gateway and by who missed that: its source is the call. */
function ofEnd(event: Extract<CallEvent, { type: "call.ended" }>, call: MeteredCall): Measured[] {
  if (isTextChannel(call.channel) || call.startedAt === null) return [];
  const quantity = BigInt(event.durationSecs ?? secondsBetween(call.startedAt, event.at));
  const source = `call ${call.sessionId}`;
  const line: Measured = {
    source,
    metric: "call_seconds",
    vendor: call.carrier ?? call.channel,
    quantity,
  };
  const vendor = recognizerOf(call);
  return vendor === undefined ? [line] : [line, { source, metric: "stt_seconds", vendor, quantity }];
}

/** Undefined: nobody here recognized anything. */
function recognizerOf({ agentId, channel, sttVendors }: MeteredCall): string | undefined {
  if (agentId === null) return undefined;
  const vendor = sttVendors.find((name) => name !== "client");
  return vendor ?? (channel === "telephony" ? GATEWAYS_CHOICE : undefined);
}

function ofMessage(event: CallEvent, call: MeteredCall): Measured[] {
  if (event.type !== "call.message") return [];
  if (isTextChannel(call.channel))
    return [{ source: event.id, metric: "messages", vendor: CHAT_CHANNEL, quantity: 1n }];
  const [vendor] = call.ttsVendors;
  if (event.role !== "assistant" || vendor === undefined) return [];
  const quantity = BigInt([...event.text].length);
  return [{ source: event.id, metric: "tts_characters", vendor, quantity }];
}

function secondsBetween(startedAt: Date, at: string): number {
  return Math.max(0, Math.floor((Date.parse(at) - startedAt.getTime()) / MS_PER_SEC));
}
