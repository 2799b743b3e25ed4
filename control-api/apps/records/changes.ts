import { type DataEvent, dataEventSchema } from "@parley/platform/methods/data.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Subscriptions } from "../bridge/handlers.ts";
import type { StoreKey } from "./store.ts";

const LOOK_EVERY_MS = 1_000;

/** The channel on which changes of records are published. */
export function changesOf({ orgId, appId, type }: StoreKey): string {
  return `app-data:${orgId}:${appId}:${type}`;
}

/**
 * `data.subscribe`. Reports every write after the subscription resolves, so listing afterwards misses nothing. After an
 * outage of the bus events may be lost: the subscription ends with a reason to subscribe and list again.
 */
export function dataSubscriptions({
  bus,
  clock,
}: {
  readonly bus: Bus;
  readonly clock: Clock;
}): Subscriptions {
  const read = eventReader();
  return {
    "data.subscribe": async ({ type }, { caller }, to) => {
      const outages = bus.outages();
      const stop = await bus.channels.subscribe(changesOf({ ...caller, type }), (payload) =>
        to.event(read(payload)),
      );
      const stopLooking = clock.every(LOOK_EVERY_MS, () => {
        if (bus.outages() === outages) return;
        stopLooking();
        to.end(new BridgeError("canceled", "Changes may have been missed; subscribe and list again."));
      });
      return async () => {
        stopLooking();
        await stop();
      };
    },
  };
}

/** Reads changes from the bus. Every frame that listens gets the same one in turn, so each is parsed once. */
function eventReader(): (payload: string) => DataEvent {
  let last: { readonly payload: string; readonly event: DataEvent } | undefined;
  return (payload) => {
    if (last?.payload !== payload) last = { payload, event: dataEventSchema.parse(JSON.parse(payload)) };
    return last.event;
  };
}
