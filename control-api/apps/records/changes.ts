import { dataEventSchema } from "@parley/platform/methods/data.ts";
import { BridgeError } from "@parley/platform/wire/errors.ts";
import type { Bus } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import type { Subscriptions } from "../bridge/handlers.ts";
import type { StoreKey } from "./store.ts";

const LOOK_EVERY_MS = 1_000;

/** Where changes of records are told. */
export function changesOf({ orgId, appId, type }: StoreKey): string {
  return `app-data:${orgId}:${appId}:${type}`;
}

/**
 * `data.subscribe`. What is written after it resolved is told: who lists then misses nothing. When the bus was away,
 * something may have been: the subscription ends with a reason to open it and to list again.
 */
export function dataSubscriptions({
  bus,
  clock,
}: {
  readonly bus: Bus;
  readonly clock: Clock;
}): Subscriptions {
  return {
    "data.subscribe": async ({ type }, { caller }, to) => {
      const outages = bus.outages();
      const stop = await bus.channels.subscribe(changesOf({ ...caller, type }), (payload) =>
        to.event(dataEventSchema.parse(JSON.parse(payload))),
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
