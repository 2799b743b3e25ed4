import type { ModelTokens } from "@parley/shared/brain/model/tokens.ts";
import type { UsageMetric } from "@parley/shared/contracts/billing.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { SIMULATION } from "@parley/shared/contracts/simulation.ts";
import { CHAT_CHANNEL, isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { OWN_VENDOR } from "../prices/choose-price.ts";

/** The event types that produce usage. */
export const METERED_EVENTS = [
  "call.message",
  "call.tokens_used",
  "call.ended",
] as const satisfies readonly CallEvent["type"][];

const MS_PER_SEC = 1_000;
/** Audio of phones and of rehearsals goes to the gateway's own recognizer if the agent names none. */
const GATEWAYS_CHOICE = "gateway";

/** What metering knows of an event's call. */
export interface MeteredCall {
  readonly sessionId: string;
  readonly orgId: string;
  /** Null for manual calls. */
  readonly agentId: string | null;
  readonly channel: string;
  readonly carrier: string | null;
  readonly startedAt: Date | null;
  /** Who holds it; nobody holds a rehearsal in text. */
  readonly nodeId: string;
  /** The agent's vendors, preferred first; empty without an agent. */
  readonly sttVendors: readonly string[];
  readonly ttsVendors: readonly string[];
}

/** One item of usage. */
export interface Measured {
  /** Identifies the item together with the metric: a source counts once, however often it is reported. */
  readonly source: string;
  readonly metric: UsageMetric;
  readonly vendor: string;
  readonly quantity: bigint;
}

/** The usage that an event reports; empty for events that cost nothing. */
export function measure(event: CallEvent, call: MeteredCall): Measured[] {
  return measuredOf(event, call).filter(({ quantity }) => quantity > 0n);
}

function measuredOf(event: CallEvent, call: MeteredCall): Measured[] {
  switch (event.type) {
    case "call.ended":
      return ofEnd(event, call);
    case "call.tokens_used":
      return ofTokens(event.id, event);
    case "call.message":
      return ofMessage(event, call);
    case "call.started":
    case "call.turn_metrics":
    case "call.dtmf":
    case "call.handed_off":
    case "call.node_entered":
    case "call.transfer_requested":
    case "call.tool_invoked":
    case "recording.ready":
    case "call.machine_detected":
      return [];
    default:
      return event satisfies never;
  }
}

/** The usage of one model request: two lines with one source. */
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

/** Both the gateway and whoever missed it may report a call's end, so the call itself is the source. */
function ofEnd(event: Extract<CallEvent, { type: "call.ended" }>, call: MeteredCall): Measured[] {
  if (isTextChannel(call.channel) || call.startedAt === null) return [];
  const quantity = BigInt(event.durationSecs ?? secondsBetween(call.startedAt, event.at));
  const source = `call ${call.sessionId}`;
  const vendor = recognizerOf(call);
  const heard: Measured[] = vendor === undefined ? [] : [{ source, metric: "stt_seconds", vendor, quantity }];
  // Nobody called in a rehearsal, though its recognizer costs the same.
  if (call.channel === SIMULATION) return heard;
  return [{ source, metric: "call_seconds", vendor: call.carrier ?? call.channel, quantity }, ...heard];
}

/** Undefined if nothing was recognized here. */
function recognizerOf({ agentId, channel, sttVendors }: MeteredCall): string | undefined {
  if (agentId === null) return undefined;
  const vendor = sttVendors.find((name) => name !== "client");
  return vendor ?? (channel === "telephony" || channel === SIMULATION ? GATEWAYS_CHOICE : undefined);
}

function ofMessage(event: Extract<CallEvent, { type: "call.message" }>, call: MeteredCall): Measured[] {
  if (call.channel === CHAT_CHANNEL)
    return [{ source: event.id, metric: "messages", vendor: CHAT_CHANNEL, quantity: 1n }];
  // A turn may join several messages of a messaging channel, which counts them as it stores them.
  if (isTextChannel(call.channel)) return [];
  const [vendor] = call.ttsVendors;
  if (event.role !== "assistant" || vendor === undefined || call.nodeId === SIMULATION) return [];
  const quantity = BigInt([...event.text].length);
  return [{ source: event.id, metric: "tts_characters", vendor, quantity }];
}

function secondsBetween(startedAt: Date, at: string): number {
  return Math.max(0, Math.floor((Date.parse(at) - startedAt.getTime()) / MS_PER_SEC));
}
