import type { Logger } from "../log.ts";
import type { Channels, Unsubscribe } from "./bus.ts";
import { deliver, type Listener } from "./deliver.ts";

/** Pub/sub within a process. Subscribers receive a message after the publisher has moved on. */
export class MemoryChannels implements Channels {
  readonly #subscribers = new Map<string, Set<Listener>>();
  readonly #log: Logger | undefined;

  constructor(log: Logger | undefined) {
    this.#log = log;
  }

  async publish(channel: string, payload: string): Promise<void> {
    for (const listener of this.#subscribers.get(channel) ?? []) {
      queueMicrotask(() => deliver(listener, payload, this.#log));
    }
  }

  async subscribe(channel: string, onMessage: Listener): Promise<Unsubscribe> {
    const subscribers = this.#subscribers.get(channel) ?? new Set();
    this.#subscribers.set(channel, subscribers);
    let isSubscribed = true;
    const listener: Listener = (payload) => {
      if (isSubscribed) onMessage(payload);
    };
    subscribers.add(listener);
    return async () => {
      isSubscribed = false;
      subscribers.delete(listener);
      if (subscribers.size === 0 && this.#subscribers.get(channel) === subscribers) {
        this.#subscribers.delete(channel);
      }
    };
  }

  hasNoSubscriber(channel: string): boolean {
    return !this.#subscribers.has(channel);
  }
}
