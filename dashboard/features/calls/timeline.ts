import type { CallDetail, TimelineEntry } from "@parley/shared/contracts/calls.ts";
import { reasonText, speakerNames } from "./call-labels.ts";

/** Something that happened in a call, in a line. */
export interface TimelineItem {
  readonly key: string;
  readonly atMs: number;
  readonly text: string;
}

type TimedCall = Pick<
  CallDetail,
  "events" | "tools" | "transcript" | "path" | "handOffs" | "channel" | "direction"
>;

/**
 * What happened in a call, in its order: the record's events, its tools, the nodes of its flow, who it was handed to, and
 * where the agent was talked over. `more` is what only a live call's stream has told of.
 */
export function timelineOf(call: TimedCall, more: readonly TimelineItem[] = []): TimelineItem[] {
  const names = speakerNames(call);
  const happened = [
    ...call.events.map((event) => ({ key: event.id, at: event.at, text: eventText(event, names.user) })),
    ...call.tools.map(({ name, turn, status, latencyMs, at }, index) => ({
      key: `tool-${index}-${at}`,
      at,
      text: `Tool ${name} in turn ${turn}: ${status} after ${latencyMs} ms`,
    })),
    ...call.path.map(({ node, at }, index) => ({ key: `node-${index}-${at}`, at, text: nodeText(node) })),
    ...call.handOffs.map(({ agentId, summary, at }, index) => ({
      key: `hand-off-${index}-${at}`,
      at,
      text: `Handed to the agent ${agentId}${summary === "" ? "" : `: ${summary}`}`,
    })),
    ...interruptionsOf(call).map(({ turn, at }) => ({
      key: `cut-${turn}-${at}`,
      at,
      text: interruptionText(names.user, turn),
    })),
  ];
  const timed = happened.map(({ key, at, text }) => ({ key, atMs: Date.parse(at), text }));
  return [...timed, ...more].toSorted((a, b) => a.atMs - b.atMs);
}

/** Where a flow came to. */
export function nodeText(node: string): string {
  return `The agent came to ${node}`;
}

/** Lines of the agent that the caller's words cut; one that the call's end cut is none. */
export function interruptionsOf({ transcript }: Pick<CallDetail, "transcript">): CallDetail["transcript"] {
  const lastOfCaller = transcript.findLastIndex(({ role }) => role === "user");
  return transcript.filter(({ interrupted }, index) => interrupted && index < lastOfCaller);
}

/** Where the agent was talked over. */
export function interruptionText(who: string, turn: number): string {
  return `${who} interrupted the agent in turn ${turn}`;
}

function eventText({ type, about }: TimelineEntry, who: string): string {
  const known = about !== null;
  switch (type) {
    case "call.started":
      return "The line was up";
    case "call.dtmf":
      return known ? `${who} pressed ${about}` : `${who} pressed a key`;
    case "call.transfer_requested":
      return known ? `The agent asked for a transfer to ${about}` : "The agent asked for a transfer";
    case "call.machine_detected":
      return known ? `A machine was detected: ${about}` : "A machine was detected";
    case "recording.ready":
      return "The recording was kept";
    case "call.ended":
      return known ? `Ended: ${lowerFirst(reasonText(about))}` : "Ended";
  }
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
