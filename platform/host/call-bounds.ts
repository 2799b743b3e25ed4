import type { Method } from "../methods/define.ts";
import { FRAME_LIMITS } from "../methods/limits.ts";
import { BridgeError } from "../wire/errors.ts";

const MINUTE_MS = 60_000;

interface UnderWay {
  calls: number;
  readonly bucket: Bucket;
}

/** How many calls a frame may have under way, and begin in a minute: each method's, and all of them together. */
export class CallBounds {
  readonly #methods = new Map<string, UnderWay>();
  readonly #all: UnderWay = { calls: 0, bucket: new Bucket(FRAME_LIMITS.perMinute) };
  #subscriptions = 0;

  /** Gives what ends the call's share. Throws `BridgeError` when there is no room for it. */
  enter({ name, limits, streams }: Method): () => void {
    const own = this.#methods.get(name) ?? { calls: 0, bucket: new Bucket(limits.perMinute) };
    this.#methods.set(name, own);
    const isSubscription = streams === "subscription";
    if (isSubscription && this.#subscriptions >= FRAME_LIMITS.subscriptions) {
      throw refused(
        `A page may have ${FRAME_LIMITS.subscriptions} subscriptions; end those it does not need.`,
      );
    }
    if (!isSubscription && (own.calls >= limits.inFlight || this.#all.calls >= FRAME_LIMITS.inFlight)) {
      throw refused(`Too many calls of ${name} are under way; wait for some of them.`);
    }
    const waitMs = Math.max(own.bucket.waitMs(), this.#all.bucket.waitMs());
    if (waitMs > 0) throw refused(`${name} was called too often; call it less.`, waitMs);
    own.bucket.take();
    this.#all.bucket.take();
    return isSubscription ? this.#subscription() : this.#call(own);
  }

  #subscription(): () => void {
    this.#subscriptions += 1;
    return once(() => {
      this.#subscriptions -= 1;
    });
  }

  #call(own: UnderWay): () => void {
    own.calls += 1;
    this.#all.calls += 1;
    return once(() => {
      own.calls -= 1;
      this.#all.calls -= 1;
    });
  }
}

/** So many at once, filled again within a minute. */
class Bucket {
  readonly #size: number;
  #left: number;
  #atMs = performance.now();

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** Until there is one; 0: there is. */
  waitMs(): number {
    const nowMs = performance.now();
    this.#left = Math.min(this.#size, this.#left + ((nowMs - this.#atMs) * this.#size) / MINUTE_MS);
    this.#atMs = nowMs;
    return this.#left >= 1 ? 0 : Math.ceil(((1 - this.#left) * MINUTE_MS) / this.#size);
  }

  take(): void {
    this.#left -= 1;
  }
}

function refused(message: string, retryAfterMs?: number): BridgeError {
  return new BridgeError("rate_limited", message, retryAfterMs === undefined ? {} : { retryAfterMs });
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
