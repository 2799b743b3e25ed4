import { Cluster } from "ioredis";
import type { Logger } from "../log.ts";
import type { Channels, Unsubscribe } from "./bus.ts";
import { deliver, type Listener } from "./deliver.ts";
import type { RedisClient } from "./redis-connections.ts";

/** Runs where the channel's slot is: on a cluster any node takes a plain PUBLISH, and two nodes may overtake. */
const PUBLISH_BY_SLOT = "return redis.call('PUBLISH', KEYS[1], ARGV[1])";

/** Pub/sub over a connection of its own; ioredis subscribes again after a reconnect. */
export class RedisChannels implements Channels {
  readonly #commands: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #prefix: string;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** Channels that were left while Redis was away: ioredis will have subscribed to them again. */
  readonly #left = new Set<string>();

  constructor(
    clients: { commands: RedisClient; subscriber: RedisClient },
    { prefix, log }: { prefix: string; log: Logger },
  ) {
    this.#commands = clients.commands;
    this.#subscriber = clients.subscriber;
    this.#prefix = prefix;
    clients.subscriber.on("message", (channel: string, payload: string) => {
      for (const listener of [...(this.#listeners.get(channel) ?? [])]) deliver(listener, payload, log);
    });
    clients.subscriber.on("ready", () => this.#leaveForgotten());
  }

  async publish(channel: string, payload: string): Promise<void> {
    const name = this.#prefix + channel;
    if (this.#commands instanceof Cluster) await this.#commands.eval(PUBLISH_BY_SLOT, 1, name, payload);
    else await this.#commands.publish(name, payload);
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
      await this.#remove(channel, listener);
      throw error;
    }
    return () => this.#remove(channel, listener);
  }

  /** Somebody on another process may listen; only Redis would know. */
  hasNoSubscriber(): boolean {
    return false;
  }

  async #remove(channel: string, listener: Listener): Promise<void> {
    const listeners = this.#listeners.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#listeners.delete(channel);
    await this.#leave(channel);
  }

  async #leave(channel: string): Promise<void> {
    try {
      await this.#subscriber.unsubscribe(channel);
    } catch {
      this.#left.add(channel);
    }
  }

  #leaveForgotten(): void {
    const forgotten = [...this.#left].filter((channel) => !this.#listeners.has(channel));
    this.#left.clear();
    for (const channel of forgotten) void this.#leave(channel);
  }
}
