import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import { framesChannel } from "@parley/shared/contracts/stream-frames.ts";

type Listener = (frame: string) => void;

interface Source {
  readonly listeners: Set<Listener>;
  readonly subscription: Promise<Unsubscribe>;
}

/** One bus subscription a watched session, however many watch it on this node. */
export class FrameSources {
  readonly #channels: Channels;
  readonly #sources = new Map<string, Source>();

  constructor(channels: Channels) {
    this.#channels = channels;
  }

  /** Resolves once frames flow. The returned function ends it. */
  async listen(sessionId: string, listener: Listener): Promise<() => void> {
    const source = this.#sources.get(sessionId) ?? this.#open(sessionId);
    source.listeners.add(listener);
    await source.subscription;
    return () => this.#leave(sessionId, source, listener);
  }

  #open(sessionId: string): Source {
    const listeners = new Set<Listener>();
    const subscription = this.#channels.subscribe(framesChannel(sessionId), (frame) => {
      for (const listener of [...listeners]) listener(frame);
    });
    const source = { listeners, subscription };
    this.#sources.set(sessionId, source);
    subscription.catch(() => this.#forget(sessionId, source));
    return source;
  }

  #leave(sessionId: string, source: Source, listener: Listener): void {
    source.listeners.delete(listener);
    if (source.listeners.size > 0) return;
    this.#forget(sessionId, source);
    source.subscription.then((stop) => stop()).catch(() => undefined);
  }

  #forget(sessionId: string, source: Source): void {
    if (this.#sources.get(sessionId) === source) this.#sources.delete(sessionId);
  }
}
