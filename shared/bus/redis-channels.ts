import type { Channels, Unsubscribe } from "./bus.ts";
import type { RedisClient } from "./redis-connections.ts";

type Listener = (payload: string) => void;

/** Pub/sub over a connection of its own; ioredis subscribes again after a reconnect. */
export class RedisChannels implements Channels {
  readonly #commands: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #prefix: string;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(clients: { commands: RedisClient; subscriber: RedisClient }, prefix: string) {
    this.#commands = clients.commands;
    this.#subscriber = clients.subscriber;
    this.#prefix = prefix;
    clients.subscriber.on("message", (channel: string, payload: string) => {
      for (const listener of [...(this.#listeners.get(channel) ?? [])]) listener(payload);
    });
  }

  async publish(channel: string, payload: string): Promise<void> {
    await this.#commands.publish(this.#prefix + channel, payload);
  }

  async subscribe(name: string, onMessage: Listener): Promise<Unsubscribe> {
    const channel = this.#prefix + name;
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    const listener: Listener = (payload) => onMessage(payload);
    listeners.add(listener);
    try {
      // Asked for again by a second listener too: when it is answered the first one's is in force as well.
      await this.#subscriber.subscribe(channel);
    } catch (error) {
      this.#forget(channel, listener);
      throw error;
    }
    return async () => {
      if (this.#forget(channel, listener)) await this.#subscriber.unsubscribe(channel).catch(() => undefined);
    };
  }

  /** Somebody on another process may listen; only Redis would know. */
  hasNoSubscriber(): boolean {
    return false;
  }

  /** True when it was the channel's last listener. */
  #forget(channel: string, listener: Listener): boolean {
    const listeners = this.#listeners.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return false;
    this.#listeners.delete(channel);
    return true;
  }
}
