import type { Bus } from "@parley/shared/bus/bus.ts";
import { createMemoryBus } from "@parley/shared/bus/memory.ts";
import { systemClock } from "@parley/shared/clock.ts";

/** The in-process bus, which accepts nothing into its streams while a test marks it as away. */
export class AwayBus {
  isAway = false;
  readonly bus: Bus;

  constructor() {
    const bus = createMemoryBus({ clock: systemClock });
    const streams: Bus["streams"] = {
      append: async (stream, payload, key) => {
        if (this.isAway) throw new Error("Connection is closed");
        await bus.streams.append(stream, payload, key);
      },
      lanesOf: (stream) => bus.streams.lanesOf(stream),
      read: (stream, reader) => bus.streams.read(stream, reader),
      ack: (stream, group, ids) => bus.streams.ack(stream, group, ids),
      backlog: (stream, group) => bus.streams.backlog(stream, group),
      isEarlierHeld: (stream, reader, entryId) => bus.streams.isEarlierHeld(stream, reader, entryId),
      list: (stream, options) => bus.streams.list(stream, options),
      remove: (stream, ids) => bus.streams.remove(stream, ids),
      keepNewest: (stream, count) => bus.streams.keepNewest(stream, count),
    };
    this.bus = {
      channels: bus.channels,
      keys: bus.keys,
      streams,
      isReady: () => true,
      writableForMs: () => bus.writableForMs(),
      outages: () => 0,
      close: () => bus.close(),
    };
  }
}
