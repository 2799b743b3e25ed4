import type { Bus, Channels, Keys } from "@parley/shared/bus/bus.ts";
import {
  type FrameData,
  framesChannel,
  type StreamFrame,
  WATCH_LEASE_MS,
  watchedKey,
} from "@parley/shared/contracts/stream-frames.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

export interface FramePublisherDeps {
  readonly channels: Channels;
  readonly bus: Pick<Bus, "isReady" | "outages">;
  readonly sessionId: string;
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * Fans the frames of one call out to watchers on any node, while it is told that there are some. When it
 * cannot know (the call has just begun, the bus was away) it publishes. Best effort: a frame is never
 * waited for.
 */
export class FramePublisher {
  readonly #deps: FramePublisherDeps;
  readonly #channel: string;
  #watchedUntilMs: number;
  #wasTold = false;
  #outages: number;

  constructor(deps: FramePublisherDeps) {
    this.#deps = deps;
    this.#channel = framesChannel(deps.sessionId);
    this.#watchedUntilMs = deps.now() + WATCH_LEASE_MS;
    this.#outages = deps.bus.outages();
  }

  /** A node says that somebody watches there. */
  watch(): void {
    this.#wasTold = true;
    this.#watchedUntilMs = this.#deps.now() + WATCH_LEASE_MS;
  }

  /**
   * Asks whether somebody watched before the call began. Call it once `watch` would be heard of: a watcher
   * writes its key first and tells the holder then, so that one of both is always seen.
   */
  async learnOfWatchers(keys: Keys): Promise<void> {
    const key = await keys.get(watchedKey(this.#deps.sessionId));
    if (key === undefined && !this.#wasTold) this.#watchedUntilMs = 0;
  }

  publish<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): void {
    if (!this.#mayBeWatched()) return;
    const { channels, sessionId, log } = this.#deps;
    channels.publish(this.#channel, JSON.stringify({ topic, sessionId, data })).catch((error: unknown) => {
      log.debug({ event: "frame_not_published", err: messageOf(error), topic }, "failed to publish a frame");
    });
  }

  #mayBeWatched(): boolean {
    const { channels, bus, now } = this.#deps;
    const outages = bus.outages();
    // What was told meanwhile did not arrive.
    if (!bus.isReady() || outages !== this.#outages) this.#watchedUntilMs = now() + WATCH_LEASE_MS;
    this.#outages = outages;
    return now() < this.#watchedUntilMs && !channels.hasNoSubscriber(this.#channel);
  }
}
