import type { Bus } from "@parley/shared/bus/bus.ts";

/** A published message; `payload` is, for example, the envelope of a request. */
export interface Published {
  readonly channel: string;
  readonly payload: string;
}

/** One process's connection to a bus, which loses selected messages or fails for them. */
export class FaultyBus {
  /** Messages silently lost: the sender does not notice. */
  loses: (published: Published) => boolean = () => false;
  /** Messages for which the bus is unavailable: the sender gets an error. */
  isAwayFor: (published: Published) => boolean = () => false;
  /** While set, nobody can begin to listen. */
  isDeaf = false;
  /** Outages that are told besides those of the bus. */
  outages = 0;

  wrap(bus: Bus): Bus {
    const { channels, streams, keys } = bus;
    return {
      channels: {
        publish: async (channel, payload) => {
          if (this.isAwayFor({ channel, payload })) throw new Error("Connection is closed");
          if (!this.loses({ channel, payload })) await channels.publish(channel, payload);
        },
        subscribe: async (channel, onMessage) => {
          if (this.isDeaf) throw new Error("Connection is closed");
          return channels.subscribe(channel, onMessage);
        },
        hasNoSubscriber: (channel) => channels.hasNoSubscriber(channel),
      },
      streams,
      keys,
      isReady: () => bus.isReady(),
      writableForMs: () => bus.writableForMs(),
      outages: () => bus.outages() + this.outages,
      close: () => bus.close(),
    };
  }
}
