import type { Bus, Channels } from "@parley/shared/bus/bus.ts";
import { LastingSubscription } from "@parley/shared/bus/lasting-subscription.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { type CallEvent, eventTypes } from "@parley/shared/contracts/call-events.ts";
import { CHANGE_TOPICS, changeEvents } from "@parley/shared/contracts/changes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { z } from "zod";

/** The channel that announces changes in an organization. */
const changesChannel = (orgId: string): string => `changes:${orgId}`;

/** Hears each change in an organization, of any node, until stopped; after an outage of the bus, that anything may have changed. */
export function onOrgChange(
  orgId: string,
  deps: { readonly bus: Bus; readonly clock: Clock },
  hear: (changed: z.infer<typeof changeEvents.changed>) => void,
): LastingSubscription {
  return new LastingSubscription(deps, {
    channel: changesChannel(orgId),
    onMessage: (payload) => hear(changeEvents.changed.parse(JSON.parse(payload))),
    onMissed: () => hear({ topics: [...CHANGE_TOPICS] }),
  });
}

/** Events that change a row of the call list. What is said in a call comes through the call's own stream instead. */
const CHANGES_CALLS = eventTypes({
  "call.started": true,
  "call.message": false,
  "call.turn_metrics": false,
  "call.dtmf": false,
  "call.handed_off": false,
  "call.node_entered": false,
  "call.tokens_used": false,
  "call.transfer_requested": false,
  "call.tool_invoked": false,
  "recording.ready": true,
  "call.machine_detected": false,
  "call.ended": true,
});

/** Makes the organization's open pages refetch, on any node. Never throws: pages also refetch by themselves, later. */
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
