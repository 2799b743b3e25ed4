import type { Bus } from "@parley/shared/bus/bus.ts";

/** What is published: `payload` is the envelope of a request, say. */
export interface Published {
  readonly channel: string;
  readonly payload: string;
}

/** One process's way to a bus, that loses what a test wants, or is away for it. */
export class FaultyBus {
  /** Nobody gets this, and its sender knows nothing of that. */
  loses: (published: Published) => boolean = () => false;
  /** Its sender is told that the bus is away. */
  isAwayFor: (published: Published) => boolean = () => false;

  wrap(bus: Bus): Bus {
    const { channels, streams, keys } = bus;
    return {
      channels: {
        publish: async (channel, payload) => {
          if (this.isAwayFor({ channel, payload })) throw new Error("Connection is closed");
          if (!this.loses({ channel, payload })) await channels.publish(channel, payload);
        },
        subscribe: (channel, onMessage) => channels.subscribe(channel, onMessage),
        hasNoSubscriber: (channel) => channels.hasNoSubscriber(channel),
      },
      streams,
      keys,
      isReady: () => bus.isReady(),
      writableForMs: () => bus.writableForMs(),
      outages: () => bus.outages(),
      close: () => bus.close(),
    };
  }
}
