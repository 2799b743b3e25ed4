import type { Channels } from "@parley/shared/bus/bus.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

/** Where it is said that something of an organization changed. */
export const changesChannel = (orgId: string): string => `changes:${orgId}`;

/** What changes a row of the list of calls. What is said in a call does not: it comes by the call's own stream. */
const CHANGES_CALLS: ReadonlySet<CallEvent["type"]> = new Set<CallEvent["type"]>([
  "call.started",
  "call.ended",
  "recording.ready",
]);

/** Has every open page of the organization ask again, on any node. Never throws: they ask by themselves, too, if later. */
export function tellChange(
  { type, orgId }: Pick<CallEvent, "type" | "orgId">,
  { channels, log }: { readonly channels: Channels; readonly log: Logger },
): void {
  if (!CHANGES_CALLS.has(type)) return;
  channels.publish(changesChannel(orgId), JSON.stringify({ topics: ["calls"] })).catch((error: unknown) => {
    log.warn(
      { event: "change_not_published", err: messageOf(error) },
      "failed to tell the pages of an organization about a change",
    );
  });
}
