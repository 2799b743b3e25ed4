import type { Method } from "../methods/define.ts";
import { FRAME_LIMITS } from "../methods/limits.ts";
import { BridgeError } from "../wire/errors.ts";

const MINUTE_MS = 60_000;

interface UnderWay {
  calls: number;
  readonly bucket: Bucket;
}

/** Bounds a frame's calls, per method and overall: how many may be under way, and how many may start per minute. */
export class CallBounds {
  readonly #methods = new Map<string, UnderWay>();
  readonly #all: UnderWay = { calls: 0, bucket: new Bucket(FRAME_LIMITS.perMinute) };
  #subscriptions = 0;

  /** Takes a call's share; returns the function that releases it. Throws `BridgeError` when there is no room. */
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

/** Token bucket of a given size, refilled within a minute. */
class Bucket {
  readonly #size: number;
  #left: number;
  #atMs = performance.now();

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  /** Milliseconds until a token is free; 0 when one is. */
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
