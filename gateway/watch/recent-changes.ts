import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import {
  type AccessChange,
  type ActingCredential,
  isAbout,
} from "@parley/shared/contracts/access-changes.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { TICKET_TTL_SECS } from "@parley/shared/security/tickets.ts";
import { onAccessChange } from "./access-changes.ts";

/** A ticket lives that long after it was given, which may be just before a change. */
const KEPT_MS = TICKET_TTL_SECS * 1_000;
/** Far more credentials than change in a minute; beyond it the oldest change is forgotten. */
const MAX_CHANGES = 10_000;

interface FollowDeps {
  readonly bus: { readonly channels: Pick<Channels, "subscribe"> };
  readonly clock: Pick<Clock, "wallMs">;
  readonly log: Logger;
}

interface RecentChange {
  readonly change: AccessChange;
  readonly atMs: number;
}

/**
 * What was changed about credentials in a ticket's lifetime, so that a ticket given before its right ended opens nothing
 * (docs/decisions/rest.md#stream-ends-with-right).
 */
export class RecentChanges {
  readonly #clock: Pick<Clock, "wallMs">;
  #changes: RecentChange[] = [];
  #unsubscribe: Unsubscribe = async () => undefined;

  private constructor(clock: Pick<Clock, "wallMs">) {
    this.#clock = clock;
  }

  /** Hears changes from now on. Delivery is at most once: what the bus loses, the ticket's lifetime ends. */
  static async follow({ bus, clock, log }: FollowDeps): Promise<RecentChanges> {
    const recent = new RecentChanges(clock);
    try {
      recent.#unsubscribe = await onAccessChange(bus.channels, (change) => recent.#keep(change));
    } catch (error) {
      log.warn(
        { event: "access_changes_not_subscribed", err: messageOf(error) },
        "failed to subscribe to changes of access",
      );
    }
    return recent;
  }

  async stop(): Promise<void> {
    await this.#unsubscribe().catch(() => undefined);
  }

  /** Whether something about a credential has changed since then, at most a ticket's lifetime ago. */
  hasChanged(by: ActingCredential, sinceMs: number): boolean {
    return this.#changes.some(({ change, atMs }) => atMs >= sinceMs && isAbout(change, by));
  }

  #keep(change: AccessChange): void {
    const atMs = this.#clock.wallMs();
    const kept = this.#changes.filter((one) => one.atMs > atMs - KEPT_MS);
    this.#changes = [...kept.slice(1 - MAX_CHANGES), { change, atMs }];
  }
}
