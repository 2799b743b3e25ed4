import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import type { InFlight } from "./in-flight.ts";
import {
  type Addressee,
  type Claimed,
  type ClaimedDelivery,
  claimDeliveries,
  findOwed,
} from "./queue-store.ts";
import { Rotation, type Turn } from "./rotation.ts";

/** Deliveries per claim; the lease outlasts any attempt. */
const CLAIM_LIMIT = 32;
export const LEASE_MS = 60_000;
/** Per endpoint and claim: a smaller number would cost one index step per delivery. */
const EACH = 8;
/** Concurrent claims: while one waits for the database, the next is on its way. */
const SIDE_BY_SIDE = 3;
/** Endpoints per lookup. */
const PAGE = 500;
/** Wake-ups within this time share a claim. */
const GATHER_MS = 1;

export interface ClaimsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly inFlight: InFlight;
  /** The delivery is ours until its lease expires; its place in `inFlight` is already taken. */
  readonly onClaimed: (delivery: ClaimedDelivery, to: Addressee, claimId: string) => void;
}

/** Finds endpoints with due deliveries and claims these in turn while places are free. */
export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #rotation = new Rotation<Addressee>();
  readonly #lines = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  /** How many more times the last page must be reached before every endpoint with due deliveries was seen. */
  #rounds = 0;
  /** The next page starts after this endpoint. */
  #after = "";
  #isStopped = false;
  /** Prefix of this process's claim ids, which are numbered. */
  readonly #name = newId("evt");
  #claims = 0;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
  }

  /** New deliveries may be due. */
  look(): void {
    // A look in progress, or between pages, may have missed them.
    this.#rounds = this.#looking !== undefined || this.#after !== "" ? 2 : 1;
    this.goOn();
  }

  /** Places may have become free. */
  goOn(): void {
    if (this.#lines.size === 0) this.#addLine();
  }

  /** Stops claiming; resolves when the last claim is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#lines.size > 0) await Promise.all(this.#lines);
  }

  #addLine(): void {
    if (this.#isStopped || this.#lines.size >= SIDE_BY_SIDE) return;
    const line = this.#claimInTurn()
      .catch((error: unknown) => {
        // Due deliveries stay due: the next poll retries.
        this.#rounds = 0;
        this.#deps.log.warn(
          { event: "deliveries_not_claimed", err: messageOf(error) },
          "failed to claim webhook deliveries",
        );
      })
      .finally(() => {
        this.#lines.delete(line);
        if (this.#rounds > 0) this.goOn();
      });
    this.#lines.add(line);
  }

  async #claimInTurn(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#rounds > 0) await this.#lookOnce();
      const turns = this.#takeTurns();
      if (turns.length === 0 && this.#rounds <= 0) return;
      if (turns.length > 0 && (await this.#claim(turns)) >= CLAIM_LIMIT) this.#addLine();
      else await new Promise<void>((resolve) => this.#deps.clock.after(GATHER_MS, resolve));
    }
  }

  #takeTurns(): Turn<Addressee>[] {
    const { inFlight } = this.#deps;
    if (inFlight.freeBytes === 0) return [];
    return this.#rotation.takeTurns(inFlight, { limit: CLAIM_LIMIT, each: EACH });
  }

  /** Concurrent lines share one look. */
  async #lookOnce(): Promise<void> {
    this.#looking ??= this.#lookForOwed().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookForOwed(): Promise<void> {
    const { database, clock } = this.#deps;
    const owed = await findOwed(database, { after: this.#after, limit: PAGE, at: new Date(clock.wallMs()) });
    this.#rotation.add(owed.filter(({ isDue }) => isDue));
    const isLastPage = owed.length < PAGE;
    // May already be 0: a concurrent claim failed.
    if (isLastPage) this.#rounds = Math.max(0, this.#rounds - 1);
    this.#after = isLastPage ? "" : (owed.at(-1)?.endpointId ?? "");
  }

  /** Returns the number of claimed deliveries. */
  async #claim(turns: readonly Turn<Addressee>[]): Promise<number> {
    const { database, clock, inFlight, onClaimed } = this.#deps;
    const nowMs = clock.wallMs();
    this.#claims += 1;
    const claimId = `${this.#name}.${this.#claims}`;
    let claimed: Claimed = { deliveries: [], isCut: true };
    try {
      claimed = await claimDeliveries(database, {
        claimId,
        at: new Date(nowMs),
        leasedUntil: new Date(nowMs + LEASE_MS),
        places: Object.fromEntries(turns.map(({ receiver, places }) => [receiver.endpointId, places])),
        maxBytes: inFlight.freeBytes,
      });
    } finally {
      this.#giveBackUnused(turns, claimed);
    }
    const addressees = new Map(turns.map(({ receiver }) => [receiver.endpointId, receiver]));
    for (const delivery of claimed.deliveries) {
      const to = addressees.get(delivery.endpointId);
      if (to) onClaimed(delivery, to, claimId);
    }
    return claimed.deliveries.length;
  }

  #giveBackUnused(turns: readonly Turn<Addressee>[], { deliveries, isCut }: Claimed): void {
    const got = Map.groupBy(deliveries, ({ endpointId }) => endpointId);
    for (const { receiver, places } of turns) {
      const unused = places - (got.get(receiver.endpointId)?.length ?? 0);
      for (let i = 0; i < unused; i++) this.#deps.inFlight.giveBack(receiver);
      if (unused > 0 && !isCut) this.#rotation.drop(receiver);
    }
  }
}
