import type { CallStatus, EndReason } from "@parley/shared/contracts/call-status.ts";
import type { CallSummary } from "@parley/shared/contracts/calls.ts";
import { isTextChannel } from "@parley/shared/contracts/text-channels.ts";
import { phoneText } from "../../ui/phone-text.ts";
import type { WordFilter } from "./call-query.ts";

type Named = readonly (readonly [value: string, name: string])[];

/** A call's states in words, keyed by the API's names. */
export const STATUS_NAMES: Named = Object.entries({
  queued: "Waiting",
  ringing: "Ringing",
  "in-progress": "Live",
  completed: "Completed",
  "no-answer": "No answer",
  busy: "Busy",
  canceled: "Canceled",
  failed: "Failed",
} satisfies Record<CallStatus, string>);
export const CHANNEL_NAMES: Named = [
  ["web_chat", "Web"],
  ["telephony", "Phone"],
  ["softphone", "Softphone"],
  ["chat", "Text chat"],
  ["whatsapp", "WhatsApp"],
  ["instagram", "Instagram"],
];
export const DIRECTION_NAMES: Named = [
  ["inbound", "Inbound"],
  ["outbound", "Outbound"],
  ["web", "From the web"],
  ["whatsapp", "From WhatsApp"],
  ["instagram", "From Instagram"],
];

const REASON_NAMES: Named = Object.entries({
  agent_end_call: "Ended by the agent",
  llm_end_call: "Ended by the agent",
  flow_end: "Flow completed",
  silence_hangup: "Silence timeout",
  max_duration: "Maximum duration reached",
  hangup: "A participant hung up",
  connection_lost: "Connection lost",
  api_request: "Ended by an operator or the API",
  node_lost: "Gateway lost",
  never_connected: "Caller never connected",
  node_draining: "Gateway shut down",
  internal_error: "Gateway error",
  no_answer: "No answer",
  busy: "The line was busy",
  declined: "Declined",
  carrier_failed: "Carrier could not connect",
  transferred: "Transferred",
  amd_hangup: "Answering machine",
  voicemail_drop: "Voicemail left",
  ivr_hangup: "Phone menu (IVR)",
  chat_idle: "Chat timed out",
} satisfies Record<EndReason, string>);

/** A chat may go on for days: until it ends it is open, not live. */
export function isOpenChat({ status, channel }: Pick<CallSummary, "status" | "channel">): boolean {
  return status === "in-progress" && isTextChannel(channel);
}

/** A call's state in words. */
export function statusText(call: Pick<CallSummary, "status" | "channel">): string {
  return isOpenChat(call) ? "Open" : nameIn(STATUS_NAMES, call.status);
}

/** Why a call ended; null, as the record stores it, is a plain hang-up. */
export function reasonText(reason: string | null): string {
  return nameIn(REASON_NAMES, reason ?? "hangup");
}

export const SENTIMENT_NAMES: Readonly<Record<string, string>> = {
  positive: "Happy",
  neutral: "Neutral",
  negative: "Unhappy",
};

/** Describes a filter that a figure's link set. */
export function wordFilterText(name: WordFilter, value: string): string {
  if (name === "interrupted") return "The agent was talked over";
  if (name === "endReason") return `End reason: ${reasonText(value === "hangup" ? null : value)}`;
  if (name === "sentiment") return `Caller: ${SENTIMENT_NAMES[value] ?? value}`;
  return `${FILTER_WORDS[name]}: ${value}`;
}

const FILTER_WORDS = {
  tool: "Tool",
  failedTool: "Tool that failed",
  disposition: "Outcome",
  topic: "Topic",
  metCriterion: "Criterion met",
  missedCriterion: "Criterion missed",
} as const;

/** Names of the two sides, by the record's roles. In a manual call, neither side is an agent. */
export function speakerNames({
  channel,
  direction,
}: Pick<CallSummary, "channel" | "direction">): Readonly<Record<"user" | "assistant", string>> {
  if (channel === "softphone") return { user: "Phone", assistant: "Softphone" };
  return { user: direction === "outbound" ? "Callee" : "Caller", assistant: "Agent" };
}

/** The name of a value; one from a later version is shown as it is. */
export function nameIn(names: Named, value: string): string {
  return names.find(([each]) => each === value)?.[1] ?? value;
}

/** Keys as a brain is asked about them, or the mask over them. */
const KEYS_LINE = /^DTMF: ([0-9A-D*#]+|\[\w+\])$/;

/** What was said, as people read it: keys are pressed. The record has them as the brain was asked. */
export function lineText({ role, text }: { readonly role: string; readonly text: string }): string {
  const [, keys] = (role === "user" && KEYS_LINE.exec(text)) || [];
  return keys === undefined ? text : `Pressed ${keys}`;
}

const HOUR_SECS = 3_600;

/** Seconds as `1:05`, from an hour on as `1:00:05`. */
export function clockText(secs: number): string {
  const whole = Math.max(0, Math.floor(secs));
  const minutes = Math.floor((whole % HOUR_SECS) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  if (whole < HOUR_SECS) return `${minutes}:${rest}`;
  return `${Math.floor(whole / HOUR_SECS)}:${String(minutes).padStart(2, "0")}:${rest}`;
}

export function durationText(secs: number | null): string {
  return secs === null ? "–" : clockText(secs);
}

type Party = Pick<CallSummary, "direction" | "fromNumber" | "toNumber" | "identifier">;

/** Who called or was called: a number, the customer's own identifier, or `unknown`. */
export function partyText({ direction, fromNumber, toNumber, identifier }: Party, unknown = "–"): string {
  const number = direction === "outbound" ? toNumber : fromNumber;
  return number ?? identifier ?? unknown;
}

/** The agent in a call; a manual call has none. */
export function agentText({ agentName, agentId }: Pick<CallSummary, "agentName" | "agentId">): string {
  return agentName ?? agentId ?? "–";
}

/** A short title for a call's page: the agent, or the other side of a person's own call. */
export function titleOf(call: Party & Pick<CallSummary, "agentName" | "agentId">): string {
  return `Call with ${call.agentName ?? call.agentId ?? phoneText(partyText(call))}`;
}
