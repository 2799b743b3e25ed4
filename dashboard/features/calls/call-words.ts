import type { CallSummary } from "@parley/shared/contracts/calls.ts";

type Named = readonly (readonly [value: string, name: string])[];

/** What a call may be, in a reader's words; the API knows them by the first of each pair. */
export const STATUS_NAMES: Named = [
  ["queued", "Waiting"],
  ["ringing", "Ringing"],
  ["in-progress", "Live"],
  ["completed", "Completed"],
  ["no-answer", "No answer"],
  ["busy", "Busy"],
  ["canceled", "Canceled"],
  ["failed", "Failed"],
];
export const CHANNEL_NAMES: Named = [
  ["web_chat", "Web"],
  ["telephony", "Phone"],
  ["softphone", "Softphone"],
  ["chat", "Text chat"],
];
export const DIRECTION_NAMES: Named = [
  ["inbound", "Inbound"],
  ["outbound", "Outbound"],
  ["web", "From the web"],
];

/** The name of a value; one that a later version brings is shown as it is. */
export function nameIn(names: Named, value: string): string {
  return names.find(([each]) => each === value)?.[1] ?? value;
}

/** Seconds as `1:05`. */
export function clockText(secs: number): string {
  const whole = Math.max(0, Math.floor(secs));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

export function durationText(secs: number | null): string {
  return secs === null ? "–" : clockText(secs);
}

type Parties = Pick<CallSummary, "direction" | "fromNumber" | "toNumber" | "identifier">;

/** With whom a call was: the agent, or of a person's own call the other side. */
export function withText(call: Parties & Pick<CallSummary, "agentName" | "agentId">): string {
  return call.agentName ?? call.agentId ?? partyText(call);
}

/** Who called or was called: a number, the customer's own name for somebody, or nobody known. */
export function partyText({ direction, fromNumber, toNumber, identifier }: Parties): string {
  const number = direction === "outbound" ? toNumber : fromNumber;
  return number ?? identifier ?? "–";
}
