import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import { speakerNames } from "../calls/call-labels.ts";
import { interruptionsOf, interruptionText, nodeText, type TimelineItem } from "../calls/timeline.ts";
import type { LiveView, Moment } from "./live-view.ts";

/** Tolerance between the record's time of a node and the time its frame arrived. */
const SAME_MS = 5_000;

const KINDS = { interruption: "interruption", silence: "event", node: "node" } as const;

/** Describes events known only from the stream. Includes an interruption until the record has it. */
export function momentsOf(
  call: Pick<CallRecord, "transcript" | "path" | "channel" | "direction">,
  { moments }: Pick<LiveView, "moments">,
): TimelineItem[] {
  const kept = new Set(interruptionsOf(call).map(({ turn }) => turn));
  const nodes = call.path.map(({ node, at }) => ({ node, atMs: Date.parse(at) }));
  const isKept = ({ what, atMs }: LiveView["moments"][number]): boolean =>
    what.is === "node" &&
    nodes.some(({ node, atMs: keptMs }) => node === what.node && Math.abs(keptMs - atMs) < SAME_MS);
  const who = speakerNames(call).user;
  return moments
    .filter((moment) => !isKept(moment))
    .filter(({ what }) => what.is !== "interruption" || !kept.has(what.turn))
    .map(({ key, atMs, what }) => ({ key, atMs, text: momentText(what, who), kind: KINDS[what.is] }));
}

function momentText(what: Moment["what"], who: string): string {
  switch (what.is) {
    case "interruption":
      return interruptionText(who, what.turn);
    case "silence": {
      const then = what.action === "prompt" ? "the agent asks" : "the call ends";
      return `Silence for ${Math.round(what.silentMs / 1_000)} s: ${then}`;
    }
    case "node":
      return nodeText(what.node);
  }
}
