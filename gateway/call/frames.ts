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
 * Fans a call's frames out to watchers on any node while there are watchers. Also publishes while it cannot know, as
 * when the call has just begun or the bus was away. Best effort: the call never waits for a frame.
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

  /** Another node reports a watcher. */
  watch(): void {
    this.#wasTold = true;
    this.#watchedUntilMs = this.#deps.now() + WATCH_LEASE_MS;
  }

  /**
   * Asks whether anybody watched before the call began. Call this once `watch` messages are received: a watcher writes
   * its key before it tells the holder, so one of the two is always seen.
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
    // Messages sent during an outage of the bus did not arrive.
    if (!bus.isReady() || outages !== this.#outages) this.#watchedUntilMs = now() + WATCH_LEASE_MS;
    this.#outages = outages;
    return now() < this.#watchedUntilMs && !channels.hasNoSubscriber(this.#channel);
  }
}
