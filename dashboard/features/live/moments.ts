import type { CallRecord } from "@parley/shared/contracts/calls.ts";
import { speakerNames } from "../calls/call-labels.ts";
import { interruptionsOf, interruptionText, type TimelineItem } from "../calls/timeline.ts";
import type { LiveView, Moment } from "./live-view.ts";

/** What only the stream has told of, in words. An interruption is here until the record has it. */
export function momentsOf(
  call: Pick<CallRecord, "transcript" | "channel" | "direction">,
  { moments }: Pick<LiveView, "moments">,
): TimelineItem[] {
  const kept = new Set(interruptionsOf(call).map(({ turn }) => turn));
  const who = speakerNames(call).user;
  return moments
    .filter(({ what }) => what.is !== "interruption" || !kept.has(what.turn))
    .map(({ key, atMs, what }) => ({ key, atMs, text: momentText(what, who) }));
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
      return `The agent came to ${what.node}`;
  }
}
