import type { Clock } from "../clock.ts";
import { type CallCommand, commandChannel } from "../contracts/call-commands.ts";
import { framesChannel, WATCH_LEASE_MS, WATCH_RENEW_MS, watchedKey } from "../contracts/stream-frames.ts";
import type { Channels, Keys, Unsubscribe } from "./bus.ts";
import { tell } from "./request-reply.ts";

type Listener = (frame: string) => void;

interface Source {
  readonly listeners: Set<Listener>;
  readonly subscription: Promise<Unsubscribe>;
}

export interface FrameSourcesDeps {
  readonly channels: Channels;
  readonly keys: Keys;
  readonly clock: Clock;
}

const WATCH: CallCommand = { command: "watch" };

/**
 * One bus subscription per watched session, however many watchers this node has; keeps telling the holder to publish.
 */
export class FrameSources {
  readonly #deps: FrameSourcesDeps;
  readonly #sources = new Map<string, Source>();
  #stopRenewing: (() => void) | undefined;

  constructor(deps: FrameSourcesDeps) {
    this.#deps = deps;
  }

  /** Resolves once frames flow. The returned function ends the subscription. */
  async listen(sessionId: string, listener: Listener): Promise<() => void> {
    const source = this.#sources.get(sessionId) ?? this.#open(sessionId);
    source.listeners.add(listener);
    await source.subscription;
    return () => this.#leave(sessionId, source, listener);
  }

  #open(sessionId: string): Source {
    const listeners = new Set<Listener>();
    const subscription = this.#subscribe(sessionId, (frame) => {
      for (const listener of [...listeners]) listener(frame);
    });
    const source = { listeners, subscription };
    this.#sources.set(sessionId, source);
    this.#stopRenewing ??= this.#deps.clock.every(WATCH_RENEW_MS, () => this.#renew());
    subscription.catch(() => this.#forget(sessionId, source));
    return source;
  }

  async #subscribe(sessionId: string, onFrame: Listener): Promise<Unsubscribe> {
    const stop = await this.#deps.channels.subscribe(framesChannel(sessionId), onFrame);
    try {
      await this.#announce(sessionId);
      return stop;
    } catch (error) {
      await stop().catch(() => undefined);
      throw error;
    }
  }

  /** Writes the key first: a call that begins in between listens for the command before it reads the key. */
  async #announce(sessionId: string): Promise<void> {
    const { channels, keys } = this.#deps;
    await keys.set(watchedKey(sessionId), "1", WATCH_LEASE_MS);
    await tell(channels, commandChannel(sessionId), JSON.stringify(WATCH));
  }

  #renew(): void {
    for (const sessionId of this.#sources.keys()) {
      // While the bus is away the holder publishes anyway, and the next announcement is soon.
      this.#announce(sessionId).catch(() => undefined);
    }
  }

  #leave(sessionId: string, source: Source, listener: Listener): void {
    source.listeners.delete(listener);
    if (source.listeners.size > 0) return;
    this.#forget(sessionId, source);
    source.subscription.then((stop) => stop()).catch(() => undefined);
  }

  #forget(sessionId: string, source: Source): void {
    if (this.#sources.get(sessionId) === source) this.#sources.delete(sessionId);
    if (this.#sources.size > 0) return;
    this.#stopRenewing?.();
    this.#stopRenewing = undefined;
  }
}
