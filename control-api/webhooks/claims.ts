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

/** Deliveries of one claim, and for how long they are ours: longer than an attempt may take. */
const CLAIM_LIMIT = 32;
export const LEASE_MS = 60_000;
/** Of one endpoint in one claim: fewer would cost a step through the index for each. */
const EACH = 8;
/** Claims under way at once: while one waits for the database the next is on its way. */
const SIDE_BY_SIDE = 3;
/** Endpoints that are looked up at once. */
const PAGE = 500;
/** What comes within this time is claimed together. */
const GATHER_MS = 1;

export interface ClaimsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly inFlight: InFlight;
  /** A delivery is ours until its lease runs out; its place in `inFlight` is taken. */
  readonly onClaimed: (delivery: ClaimedDelivery, to: Addressee, claimId: string) => void;
}

/** Finds endpoints something is owed to, and claims their deliveries in turn for as long as there are places. */
export class Claims {
  readonly #deps: ClaimsDeps;
  readonly #rotation = new Rotation<Addressee>();
  readonly #lines = new Set<Promise<void>>();
  #looking: Promise<void> | undefined;
  /** How often the end of the endpoints must be reached before all were looked at that were owed something. */
  #rounds = 0;
  /** The page behind this endpoint is the next. */
  #after = "";
  #isStopped = false;
  /** Of this process; its claims are counted. */
  readonly #name = newId("evt");
  #claims = 0;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
  }

  /** There may be deliveries that were not there before. */
  look(): void {
    // A look that is under way, or has pages behind it, may have come too early.
    this.#rounds = this.#looking !== undefined || this.#after !== "" ? 2 : 1;
    this.goOn();
  }

  /** There may be places that were not there before. */
  goOn(): void {
    if (this.#lines.size === 0) this.#addLine();
  }

  /** Claims nothing more; resolves when the last claim is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#lines.size > 0) await Promise.all(this.#lines);
  }

  #addLine(): void {
    if (this.#isStopped || this.#lines.size >= SIDE_BY_SIDE) return;
    const line = this.#claimInTurn()
      .catch((error: unknown) => {
        // What is due stays due: the next poll tries again.
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

  /** Side by side lines wait for one and the same look. */
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
    // It may be 0 already: a claim beside this look failed.
    if (isLastPage) this.#rounds = Math.max(0, this.#rounds - 1);
    this.#after = isLastPage ? "" : (owed.at(-1)?.endpointId ?? "");
  }

  /** Gives how many were claimed. */
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
