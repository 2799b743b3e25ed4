import { Cluster } from "ioredis";
import type { Logger } from "../log.ts";
import type { Channels, Unsubscribe } from "./bus.ts";
import { deliver, type Listener } from "./deliver.ts";
import type { RedisClient } from "./redis-connections.ts";

/** Channels of a cluster that are asked about in one round: enough to meet each of its masters within a few. */
const MAX_ASKED = 64;

/**
 * Pub/sub over a dedicated connection; ioredis resubscribes after a reconnect. On a cluster a channel lives on the
 * master of its slot, which alone carries its messages and keeps their order
 * (docs/decisions/events.md#redis-cluster-channel-published-through).
 */
export class RedisChannels implements Channels {
  readonly #commands: RedisClient;
  readonly #subscriber: RedisClient;
  readonly #prefix: string;
  readonly #listeners = new Map<string, Set<Listener>>();
  /** On a cluster: the subscriptions made. ioredis would list a channel again for each further one. */
  readonly #made = new Map<string, Promise<unknown>>();
  /** Channels left while Redis was away: ioredis will have resubscribed to them. */
  readonly #left = new Set<string>();

  constructor(
    clients: { commands: RedisClient; subscriber: RedisClient },
    { prefix, log }: { prefix: string; log: Logger },
  ) {
    this.#commands = clients.commands;
    this.#subscriber = clients.subscriber;
    this.#prefix = prefix;
    for (const event of ["message", "smessage"])
      clients.subscriber.on(event, (channel: string, payload: string) => {
        for (const listener of [...(this.#listeners.get(channel) ?? [])]) deliver(listener, payload, log);
      });
    clients.subscriber.on("ready", () => this.#leaveForgotten());
  }

  async publish(channel: string, payload: string): Promise<void> {
    const name = this.#prefix + channel;
    if (this.#commands instanceof Cluster) await this.#commands.spublish(name, payload);
    else await this.#commands.publish(name, payload);
  }

  async subscribe(name: string, onMessage: Listener): Promise<Unsubscribe> {
    const channel = this.#prefix + name;
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners);
    const listener: Listener = (payload) => onMessage(payload);
    listeners.add(listener);
    try {
      await this.#join(channel);
    } catch (error) {
      await this.#remove(channel, listener);
      throw error;
    }
    return () => this.#remove(channel, listener);
  }

  /** Always false: other processes may listen, which only Redis would know. */
  hasNoSubscriber(): boolean {
    return false;
  }

  /**
   * Makes the connections of the subscriber owe a reply: as it only listens, nothing else would tell that the other side
   * is gone. A cluster has one to each master, which are reached by the slots of the channels alone.
   */
  ping(): void {
    const subscriber = this.#subscriber;
    if (subscriber.status !== "ready") return;
    if (!(subscriber instanceof Cluster)) {
      subscriber.ping().catch(() => undefined);
      return;
    }
    const channels = [...this.#made.keys()];
    const start = Math.floor(Math.random() * channels.length);
    for (const channel of [...channels.slice(start), ...channels.slice(0, start)].slice(0, MAX_ASKED))
      subscriber.sunsubscribe(neverJoined(channel)).catch(() => undefined);
  }

  async #remove(channel: string, listener: Listener): Promise<void> {
    const listeners = this.#listeners.get(channel);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.#listeners.delete(channel);
    await this.#leave(channel);
  }

  async #join(channel: string): Promise<void> {
    if (!(this.#subscriber instanceof Cluster)) {
      // A second listener subscribes again, too: the reply confirms that the first subscription is in force.
      await this.#subscriber.subscribe(channel);
      return;
    }
    const made = this.#made.get(channel) ?? this.#subscriber.ssubscribe(channel);
    this.#made.set(channel, made);
    try {
      await made;
    } catch (error) {
      if (this.#made.get(channel) === made) this.#made.delete(channel);
      throw error;
    }
  }

  async #leave(channel: string): Promise<void> {
    this.#made.delete(channel);
    try {
      if (this.#subscriber instanceof Cluster) await this.#subscriber.sunsubscribe(channel);
      else await this.#subscriber.unsubscribe(channel);
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

/** The name of another channel in the same slot, which goes by the part in braces (Redis Cluster specification). */
function neverJoined(channel: string): string {
  return channel.includes("{") ? `${channel}:ping` : `ping{${channel}}`;
}
