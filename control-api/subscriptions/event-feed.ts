import type { Clock } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { RecentEvents } from "./recent-events.ts";
import { appendToFeed } from "./store.ts";

/** Where recorders of call events put them for the subscriptions. */
export class EventFeed {
  readonly recent = new RecentEvents();
  readonly #clock: Pick<Clock, "wallMs">;
  #onAppended: (types: ReadonlySet<string>) => void = () => undefined;

  constructor({ clock }: { readonly clock: Pick<Clock, "wallMs"> }) {
    this.#clock = clock;
  }

  /**
   * Must come last in the recording transaction. `announce` after the commit, or the next poll finds the events. Returns the
   * position of the last one.
   */
  append(trx: Kysely<Tables>, events: readonly Pick<CallEvent, "id" | "type">[]): Promise<number> {
    return appendToFeed(trx, events, new Date(this.#clock.wallMs()));
  }

  /** Call once events are committed, with the position of the last one. */
  announce(events: readonly CallEvent[], last: number): void {
    if (events.length === 0) return;
    this.recent.add(events, last);
    this.#onAppended(new Set(events.map(({ type }) => type)));
  }

  /** Sets what this process does on `announce`. */
  onAppended(listener: (types: ReadonlySet<string>) => void): void {
    this.#onAppended = listener;
  }
}
