import type { Channels } from "@parley/shared/bus/bus.ts";
import { type FrameData, framesChannel, type StreamFrame } from "@parley/shared/contracts/stream-frames.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

export interface FramePublisherDeps {
  readonly channels: Channels;
  readonly sessionId: string;
  readonly log: Logger;
}

/** Fans the frames of one call out to watchers on any node. Best effort: a frame is never waited for. */
export class FramePublisher {
  readonly #deps: FramePublisherDeps;
  readonly #channel: string;

  constructor(deps: FramePublisherDeps) {
    this.#deps = deps;
    this.#channel = framesChannel(deps.sessionId);
  }

  publish<T extends StreamFrame["topic"]>(topic: T, data: FrameData<T>): void {
    const { channels, sessionId, log } = this.#deps;
    if (channels.hasNoSubscriber(this.#channel)) return;
    channels.publish(this.#channel, JSON.stringify({ topic, sessionId, data })).catch((error: unknown) => {
      log.debug({ err: messageOf(error), topic }, "a frame was not published");
    });
  }
}
