import type { Clock } from "@parley/shared/clock.ts";
import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import { appendToFeed } from "./store.ts";

/** Where whoever records call events puts them for the subscriptions. */
export class EventFeed {
  readonly #clock: Pick<Clock, "wallMs">;
  #onAppended: (types: ReadonlySet<string>) => void = () => undefined;

  constructor({ clock }: { readonly clock: Pick<Clock, "wallMs"> }) {
    this.#clock = clock;
  }

  /** In the transaction that records them, as its last statement. Call `announce` after the commit; without it the next poll finds them. */
  append(trx: Kysely<Tables>, events: readonly Pick<CallEvent, "id" | "type">[]): Promise<void> {
    return appendToFeed(trx, events, new Date(this.#clock.wallMs()));
  }

  /** Events were committed. */
  announce(events: readonly Pick<CallEvent, "type">[]): void {
    if (events.length > 0) this.#onAppended(new Set(events.map(({ type }) => type)));
  }

  /** What this process does when it announces some. */
  onAppended(listener: (types: ReadonlySet<string>) => void): void {
    this.#onAppended = listener;
  }
}
