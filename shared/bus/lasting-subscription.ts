import type { Clock } from "../clock.ts";
import type { Bus, Unsubscribe } from "./bus.ts";

/** How often to look whether the subscription is in force, and whether the bus was away meanwhile. */
const LOOK_EVERY_MS = 1_000;

interface Listening {
  readonly channel: string;
  /** Around an outage, a message may come twice. */
  readonly onMessage: (payload: string) => void;
  /** It listens, and messages from before may have been missed: the bus was away. */
  readonly onMissed: () => void;
}

interface LastingSubscriptionDeps {
  readonly bus: Pick<Bus, "outages"> & { readonly channels: Pick<Bus["channels"], "subscribe"> };
  readonly clock: Pick<Clock, "every" | "monotonicMs">;
}

/** A subscription that begins once the bus is there, and tells when an outage may have cost messages. */
export class LastingSubscription {
  /** Resolves when it listens for the first time, or the bus turned out to be away. Never rejects. */
  readonly tried: Promise<void>;
  readonly #deps: LastingSubscriptionDeps;
  readonly #listening: Listening;
  readonly #stopLooking: () => void;
  #unsubscribe: Unsubscribe | undefined;
  #outages: number;
  #trying: Promise<void> | undefined;
  #isStopped = false;

  constructor(deps: LastingSubscriptionDeps, listening: Listening) {
    this.#deps = deps;
    this.#listening = listening;
    this.#outages = deps.bus.outages();
    this.#stopLooking = deps.clock.every(LOOK_EVERY_MS, () => this.#look());
    const startedMs = deps.clock.monotonicMs();
    this.tried = this.#try(() => deps.clock.monotonicMs() - startedMs >= LOOK_EVERY_MS);
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopLooking();
    await this.#trying;
    await this.#unsubscribe?.().catch(() => undefined);
  }

  #look(): void {
    if (this.#trying || this.#isStopped) return;
    if (this.#unsubscribe && this.#deps.bus.outages() === this.#outages) return;
    void this.#try(() => true);
  }

  #try(mayHaveMissed: () => boolean): Promise<void> {
    const trying = this.#subscribe(mayHaveMissed).finally(() => {
      this.#trying = undefined;
    });
    this.#trying = trying;
    return trying;
  }

  /** Subscribing once more confirms that an earlier subscription is in force again. */
  async #subscribe(mayHaveMissed: () => boolean): Promise<void> {
    const { bus } = this.#deps;
    const { channel, onMessage, onMissed } = this.#listening;
    const outages = bus.outages();
    const subscribed = await bus.channels.subscribe(channel, onMessage).catch(() => undefined);
    // The next look tries again.
    if (!subscribed) return;
    const previous = this.#unsubscribe;
    this.#unsubscribe = subscribed;
    this.#outages = outages;
    await previous?.().catch(() => undefined);
    if (!this.#isStopped && mayHaveMissed()) onMissed();
  }
}
