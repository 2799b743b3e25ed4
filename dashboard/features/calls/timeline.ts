import type { CallDetail, TimelineEntry } from "@parley/shared/contracts/calls.ts";
import { reasonText, speakerNames } from "./call-labels.ts";

/** An event in a call, in one line. */
export interface TimelineItem {
  readonly key: string;
  readonly atMs: number;
  readonly text: string;
  readonly kind: "event" | "tool" | "node" | "hand-off" | "interruption";
}

type TimedCall = Pick<
  CallDetail,
  "events" | "tools" | "transcript" | "path" | "handOffs" | "channel" | "direction"
>;

/**
 * A call's events in order: the record's events, its tools, flow nodes, transfers and interruptions of the
 * agent. `more` holds events that only a live call's stream reported.
 */
export function timelineOf(call: TimedCall, more: readonly TimelineItem[] = []): TimelineItem[] {
  const names = speakerNames(call);
  const happened = [
    ...call.events.map((event) => ({
      key: event.id,
      at: event.at,
      text: eventText(event, names.user),
      kind: "event" as const,
    })),
    ...call.tools.map(({ name, turn, status, latencyMs, at }, index) => ({
      key: `tool-${index}-${at}`,
      at,
      text: `Tool ${name} in turn ${turn}: ${status} after ${latencyMs} ms`,
      kind: "tool" as const,
    })),
    ...call.path.map(({ node, at }, index) => ({
      key: `node-${index}-${at}`,
      at,
      text: nodeText(node),
      kind: "node" as const,
    })),
    ...call.handOffs.map(({ agentId, summary, at }, index) => ({
      key: `hand-off-${index}-${at}`,
      at,
      text: `Handed to the agent ${agentId}${summary === "" ? "" : `: ${summary}`}`,
      kind: "hand-off" as const,
    })),
    ...interruptionsOf(call).map(({ turn, at }) => ({
      key: `cut-${turn}-${at}`,
      at,
      text: interruptionText(names.user, turn),
      kind: "interruption" as const,
    })),
  ];
  const timed = happened.map(({ at, ...item }) => ({ ...item, atMs: Date.parse(at) }));
  return [...timed, ...more].toSorted((a, b) => a.atMs - b.atMs);
}

/** Says which node a flow reached. */
export function nodeText(node: string): string {
  return `The agent came to ${node}`;
}

/** Agent lines that the caller cut off; a line cut off by the call's end does not count. */
export function interruptionsOf({ transcript }: Pick<CallDetail, "transcript">): CallDetail["transcript"] {
  const lastOfCaller = transcript.findLastIndex(({ role }) => role === "user");
  return transcript.filter(({ interrupted }, index) => interrupted && index < lastOfCaller);
}

/** Says where the agent was interrupted. */
export function interruptionText(who: string, turn: number): string {
  return `${who} interrupted the agent in turn ${turn}`;
}

function eventText({ type, about }: TimelineEntry, who: string): string {
  const known = about !== null;
  switch (type) {
    case "call.started":
      return "Connected";
    case "call.dtmf":
      return known ? `${who} pressed ${about}` : `${who} pressed a key`;
    case "call.transfer_requested":
      return known ? `The agent asked for a transfer to ${about}` : "The agent asked for a transfer";
    case "call.machine_detected":
      return known ? `A machine was detected: ${about}` : "A machine was detected";
    case "recording.ready":
      return "Recording saved";
    case "call.ended":
      return known ? endText(reasonText(about)) : "Ended";
  }
}

function endText(reason: string): string {
  return reason.startsWith("Ended") ? reason : `Ended: ${lowerFirst(reason)}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
