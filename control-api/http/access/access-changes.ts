import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  ACCESS_CHANGES_CHANNEL,
  type AccessChange,
  accessChangeSchema,
} from "@parley/shared/contracts/access-changes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

const TRY_AGAIN_MS = 1_000;

export interface AccessChangesDeps {
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Logger;
}

type Listener = (change: AccessChange) => void;

/**
 * Announces to all control APIs, this one first, that a credential ended. If the bus is away, the others notice once
 * their cached entries expire (`PrincipalCache`).
 */
export class AccessChanges {
  readonly #deps: AccessChangesDeps;
  readonly #listeners = new Set<Listener>();
  #stop: Unsubscribe | undefined;
  #cancelRetry: (() => void) | undefined;
  #isClosed = false;

  constructor(deps: AccessChangesDeps) {
    this.#deps = deps;
    this.#subscribe();
  }

  onChange(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Call after the commit. Resolves once the bus has the change; never rejects. */
  async announce(change: AccessChange): Promise<void> {
    this.#tell(change);
    try {
      await this.#deps.channels.publish(ACCESS_CHANGES_CHANNEL, JSON.stringify(change));
    } catch (error) {
      this.#deps.log.warn(
        { event: "credential_revocation_not_published", err: messageOf(error) },
        "failed to tell other nodes that a credential was revoked",
      );
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry?.();
    await this.#stop?.().catch(() => undefined);
  }

  #subscribe(): void {
    const { channels, clock } = this.#deps;
    channels
      .subscribe(ACCESS_CHANGES_CHANNEL, (payload) => {
        const parsed = accessChangeSchema.safeParse(JSON.parse(payload));
        if (parsed.success) this.#tell(parsed.data);
      })
      .then((stop) => {
        this.#stop = stop;
        if (this.#isClosed) return stop();
      })
      .catch(() => {
        if (!this.#isClosed) this.#cancelRetry = clock.after(TRY_AGAIN_MS, () => this.#subscribe());
      });
  }

  #tell(change: AccessChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
