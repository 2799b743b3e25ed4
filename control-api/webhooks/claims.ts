import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import { Counts, type InFlight } from "./in-flight.ts";
import { attemptOf, type Block, type InHand, Line, type Sent } from "./line.ts";
import {
  type Addressee,
  type Claimed,
  type ClaimOf,
  claimDeliveries,
  findOwed,
  keepTaken,
} from "./queue-store.ts";
import { Rotation } from "./rotation.ts";

/** Deliveries per claim; the lease outlasts any attempt. */
const CLAIM_LIMIT = 256;
export const LEASE_MS = 60_000;
/** Sends that an endpoint begins in its turn. */
const EACH = 8;
/** Concurrent claims: while one waits for the database, the next is on its way. */
const SIDE_BY_SIDE = 2;
/** Endpoints per lookup. */
const PAGE = 500;
/** Wake-ups within this time share a claim. */
const GATHER_MS = 1;
/** Wait for others who claim from the same endpoints. */
const BUSY_MS = 25;
const NOTHING: Claimed = { deliveries: [], busy: new Set(), isCut: false };

export interface ClaimsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly inFlight: InFlight;
  /** Ours until its lease expires; its place and its body's bytes are already taken in `inFlight`. */
  readonly onClaimed: (inHand: InHand) => void;
}

/** Finds endpoints with due deliveries, claims these in blocks, and hands them out in turn while places are free. */
export class Claims {
  readonly #deps: ClaimsDeps;
  /** Endpoints something is owed to; the first are claimed from next. */
  readonly #owing = new Map<string, Addressee>();
  readonly #lines = new Map<string, Line>();
  /** Lines with deliveries in hand. */
  readonly #ready = new Rotation<Line>();
  /** Being claimed by this process: how many of which endpoint. */
  readonly #claiming = new Map<string, { readonly to: Addressee; readonly wanted: number }>();
  readonly #working = new Set<Promise<void>>();
  #over: ClaimOf[] = [];
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

  /**
   * Deliveries to these are due now: claims them without looking for who is owed something. Each must be a new object, so
   * that a claim under way, which may have missed its deliveries, does not drop it.
   */
  owe(addressees: readonly Addressee[]): void {
    for (const to of addressees) this.#owing.set(to.endpointId, to);
    this.goOn();
  }

  /** Places may have become free. */
  goOn(): void {
    this.handOut();
    if (this.#working.size === 0) this.#addWorker();
  }

  /**
   * A place of this endpoint became free: gives it to the next in hand at once, without going through the others, unless one
   * of them may wait for it. Returns false if it is for `handOut` to give away.
   */
  handOutNext({ endpointId }: Addressee): boolean {
    const { clock, inFlight, onClaimed } = this.#deps;
    const line = this.#lines.get(endpointId);
    if (this.#isStopped || !line?.hasReady || !inFlight.hasPlaceOfItsOwn(line)) return false;
    const stale: InHand[] = [];
    const inHand = line.next(clock.wallMs(), stale);
    if (!line.hasReady) this.#ready.drop(line);
    if (stale.length > 0) void this.#leave(stale);
    if (!inHand) return false;
    inFlight.take(line);
    onClaimed(inHand);
    return true;
  }

  /** A delivery was sent, or failed to be: how many to take of its endpoint depends on it. */
  note({ to }: InHand, sent: Sent): void {
    const line = this.#lines.get(to.endpointId);
    line?.note(sent);
    if (!sent.isLast) return;
    this.#owing.delete(to.endpointId);
    if (line) void this.#leave(line.takeAll());
  }

  /** To be called now and then: leaves to others what waited in vain for a place, and forgets idle endpoints. */
  tidy(): void {
    const nowMs = this.#deps.clock.wallMs();
    void this.#leave([...this.#lines.values()].flatMap((line) => line.takeStale(nowMs)));
    for (const line of this.#lines.values()) if (!line.hasReady) this.#ready.drop(line);
    this.#forgetIdle();
  }

  /** The results of these are written. */
  settled(inHands: readonly InHand[]): void {
    for (const { delivery, block } of inHands) {
      block.open.delete(delivery);
      if (block.open.size === 0) this.#over.push(block);
    }
  }

  /** Stops claiming, and leaves what was not begun to others; resolves when that is done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    while (this.#working.size > 0) await Promise.all(this.#working);
    await this.#leave([...this.#lines.values()].flatMap((line) => line.takeAll()));
  }

  #addWorker(): void {
    if (this.#isStopped || this.#working.size >= SIDE_BY_SIDE) return;
    const worker = this.#claimInTurn()
      .catch((error: unknown) => {
        // Due deliveries stay due: the next poll retries.
        this.#rounds = 0;
        this.#deps.log.warn(
          { event: "deliveries_not_claimed", err: messageOf(error) },
          "failed to claim webhook deliveries",
        );
      })
      .finally(() => {
        this.#working.delete(worker);
        if (this.#rounds > 0) this.goOn();
      });
    this.#working.add(worker);
  }

  async #claimInTurn(): Promise<void> {
    while (!this.#isStopped) {
      if (this.#rounds > 0) await this.#lookOnce();
      const turns = this.#takeTurns();
      if (turns.size === 0 && this.#rounds <= 0) return;
      const { deliveries, busy } = turns.size > 0 ? await this.#claim(turns) : NOTHING;
      if (deliveries.length >= CLAIM_LIMIT / 2) {
        this.#addWorker();
        continue;
      }
      const waitMs = deliveries.length === 0 && busy.size > 0 ? BUSY_MS : GATHER_MS;
      await new Promise<void>((resolve) => this.#deps.clock.after(waitMs, resolve));
    }
  }

  /** How many to claim, by endpoint; those that get a turn go to the end. */
  #takeTurns(): Map<Addressee, number> {
    const { inFlight } = this.#deps;
    const turns = new Map<Addressee, number>();
    const waiting = this.#countWaiting();
    let left = inFlight.freeBytes === 0 ? 0 : CLAIM_LIMIT;
    let isShort = false;
    for (const to of this.#owing.values()) {
      if (left === 0) break;
      if (this.#claiming.has(to.endpointId)) continue;
      const line = this.#lineOf(to);
      const wanted = Math.min(left, line.wants(inFlight.places(to, waiting)));
      if (wanted === 0) continue;
      isShort ||= line.isShort;
      turns.set(to, wanted);
      waiting.add(to, Math.min(wanted, EACH));
      left -= wanted;
    }
    // A claim for few costs as much as one for many; others will want something in a moment.
    if (left > CLAIM_LIMIT / 2 && !isShort && turns.size < this.#owing.size) return new Map();
    for (const [to, wanted] of turns) {
      this.#claiming.set(to.endpointId, { to, wanted });
      this.#owing.delete(to.endpointId);
      this.#owing.set(to.endpointId, to);
    }
    return turns;
  }

  /**
   * What is in hand, or will be, and takes the next free places: for more there is none. A receiver that was quick may
   * have much in hand when it turns slow: what has no place anyway keeps none from others.
   */
  #countWaiting(): Counts {
    const { inFlight } = this.#deps;
    const waiting = new Counts();
    for (const line of this.#lines.values())
      waiting.add(line, Math.min(line.waiting, inFlight.places(line, waiting)));
    for (const { to, wanted } of this.#claiming.values()) waiting.add(to, Math.min(wanted, EACH));
    return waiting;
  }

  #lineOf(to: Addressee): Line {
    const known = this.#lines.get(to.endpointId);
    if (known) return known;
    const line = new Line(to);
    this.#lines.set(to.endpointId, line);
    return line;
  }

  /** Concurrent workers share one look. */
  async #lookOnce(): Promise<void> {
    this.#looking ??= this.#lookForOwed().finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async #lookForOwed(): Promise<void> {
    const { database, clock } = this.#deps;
    const owed = await findOwed(database, { after: this.#after, limit: PAGE, at: new Date(clock.wallMs()) });
    // A rediscovered endpoint is a new object, so that stale news cannot drop it.
    for (const to of owed) if (to.isDue) this.#owing.set(to.endpointId, to);
    const isLastPage = owed.length < PAGE;
    // May already be 0: a concurrent claim failed.
    if (isLastPage) this.#rounds = Math.max(0, this.#rounds - 1);
    this.#after = isLastPage ? "" : (owed.at(-1)?.endpointId ?? "");
  }

  async #claim(turns: ReadonlyMap<Addressee, number>): Promise<Claimed> {
    const { database, clock, inFlight } = this.#deps;
    const nowMs = clock.wallMs();
    this.#claims += 1;
    const claimId = `${this.#name}.${this.#claims}`;
    const over = this.#over.splice(0);
    try {
      const claimed = await claimDeliveries(database, {
        claimId,
        at: new Date(nowMs),
        leasedUntil: new Date(nowMs + LEASE_MS),
        places: Object.fromEntries([...turns].map(([{ endpointId }, wanted]) => [endpointId, wanted])),
        maxBytes: inFlight.freeBytes,
        over: over.map(({ endpointId, claimId: id }) => ({ endpointId, claimId: id })),
      });
      // Nothing was deleted either.
      if (claimed.busy.size === turns.size) this.#over.push(...over);
      this.#takeIn(claimed, turns, { claimId, claimedMs: nowMs });
      return claimed;
    } catch (error) {
      this.#over.push(...over);
      throw error;
    } finally {
      for (const { endpointId } of turns.keys()) this.#claiming.delete(endpointId);
    }
  }

  #takeIn(
    { deliveries, busy, isCut }: Claimed,
    turns: ReadonlyMap<Addressee, number>,
    { claimId, claimedMs }: { readonly claimId: string; readonly claimedMs: number },
  ): void {
    const byEndpoint = Map.groupBy(deliveries, ({ endpointId }) => endpointId);
    for (const [to, wanted] of turns) {
      const { endpointId } = to;
      const got = byEndpoint.get(endpointId) ?? [];
      const hadLess = got.length < wanted && !isCut && !busy.has(endpointId);
      if (hadLess && this.#owing.get(endpointId) === to) this.#owing.delete(endpointId);
      if (got.length === 0) continue;
      const block: Block = { claimId, endpointId, open: new Set(got) };
      const line = this.#lineOf(to);
      for (const delivery of got) {
        this.#deps.inFlight.holdBytes(Buffer.byteLength(delivery.body));
        line.add({ delivery, to, block }, claimedMs);
      }
      this.#ready.add([line]);
    }
    this.handOut();
  }

  /** Gives free places to deliveries in hand, endpoint after endpoint. Claims nothing. */
  handOut(): void {
    const { clock, inFlight, onClaimed } = this.#deps;
    if (this.#isStopped) return;
    const nowMs = clock.wallMs();
    const stale: InHand[] = [];
    for (;;) {
      const turns = this.#ready.takeTurns(inFlight, { limit: inFlight.free, each: EACH });
      if (turns.length === 0) break;
      for (const { receiver: line, places } of turns) {
        for (let i = 0; i < places; i++) {
          const inHand = line.next(nowMs, stale);
          if (inHand) onClaimed(inHand);
          else inFlight.giveBack(line);
        }
        if (!line.hasReady) this.#ready.drop(line);
      }
    }
    void this.#leave(stale);
  }

  #forgetIdle(): void {
    for (const [endpointId, { hasReady }] of this.#lines)
      if (!hasReady && !this.#owing.has(endpointId) && !this.#claiming.has(endpointId))
        this.#lines.delete(endpointId);
  }

  /** Lets others take what was not begun. Where that fails, its lease expires. */
  async #leave(unbegun: readonly InHand[]): Promise<void> {
    for (const { delivery, block } of unbegun) {
      this.#deps.inFlight.holdBytes(-Buffer.byteLength(delivery.body));
      block.open.delete(delivery);
    }
    const kept = [...new Set(unbegun.map(({ block }) => block))].map(({ claimId, endpointId, open }) => ({
      claimId,
      endpointId,
      taken: [...open].map(attemptOf),
    }));
    await keepTaken(this.#deps.database, kept).catch((error: unknown) => {
      this.#deps.log.warn(
        { event: "deliveries_not_left", err: messageOf(error) },
        "failed to leave webhook deliveries to others",
      );
    });
  }
}
