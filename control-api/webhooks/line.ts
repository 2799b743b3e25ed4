import type { Receiver } from "./in-flight.ts";
import type { Addressee, ClaimedDelivery, ClaimOf } from "./queue-store.ts";

/** Taken at once: as many as may be under way to an endpoint. */
const LEAST_AHEAD = 8;
/** Taken at once by a receiver that answers quickly. */
const MOST_AHEAD = 64;
/** A receiver that took no longer gets more the next time. */
const QUICK_MS = 250;
/**
 * What was not begun by then is left to others. What is left of its lease must outlast an attempt of 47 s: 15 to be sent,
 * 30 for the receiver, 2 for the rest of its answer. An endpoint that is deleted gets nothing that is older either.
 */
const BEGUN_WITHIN_MS = 5_000;

/** What one claim took of one endpoint, until all of it has results. */
export interface Block extends ClaimOf {
  /** Attempts without a result. */
  readonly open: Set<ClaimedDelivery>;
}

/** A delivery in hand. */
export interface InHand {
  readonly delivery: ClaimedDelivery;
  readonly to: Addressee;
  readonly block: Block;
}

/** How an attempt went. */
export interface Sent {
  readonly isAnswered: boolean;
  /** The endpoint gets nothing more. */
  readonly isLast: boolean;
  readonly durationMs: number;
}

/** An attempt, as a claim's row has it. */
export function attemptOf({ id, attempts }: ClaimedDelivery): string {
  return `${id}:${attempts}`;
}

/** An endpoint with due deliveries: those in hand that wait for a place, and how many to take at once. */
export class Line implements Receiver {
  readonly endpointId: string;
  readonly orgId: string;
  readonly host: string;
  readonly #ready: { readonly inHand: InHand; readonly claimedMs: number }[] = [];
  #ahead = LEAST_AHEAD;

  constructor({ endpointId, orgId, host }: Receiver) {
    this.endpointId = endpointId;
    this.orgId = orgId;
    this.host = host;
  }

  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  /** Those that wait for a place without knowing when: a receiver that is not quick keeps its places. */
  get waiting(): number {
    return this.#isQuick ? 0 : this.#ready.length;
  }

  /** How many to claim now, with so many places; a receiver that is quick never waits for a claim. */
  wants(places: number): number {
    const ready = this.#ready.length;
    if (this.#isQuick) return (ready === 0 ? places > 0 : ready <= this.#ahead / 2) ? this.#ahead : 0;
    return ready === 0 ? Math.min(places, this.#ahead) : 0;
  }

  /** Whether little is left for the time that a claim takes. */
  get isShort(): boolean {
    return this.#ready.length <= this.#ahead / 4;
  }

  get #isQuick(): boolean {
    return this.#ahead > LEAST_AHEAD;
  }

  /** Adds what was claimed. */
  add(inHand: InHand, claimedMs: number): void {
    this.#ready.push({ inHand, claimedMs });
  }

  /** Takes the oldest in hand; undefined when there is none. What has waited for too long is in `stale` instead. */
  next(nowMs: number, stale: InHand[]): InHand | undefined {
    for (;;) {
      const first = this.#ready.shift();
      if (!first || nowMs - first.claimedMs <= BEGUN_WITHIN_MS) return first?.inHand;
      stale.push(first.inHand);
    }
  }

  /** Takes what has waited for too long. */
  takeStale(nowMs: number): InHand[] {
    const fresh = this.#ready.findIndex(({ claimedMs }) => nowMs - claimedMs <= BEGUN_WITHIN_MS);
    return this.#ready.splice(0, fresh === -1 ? this.#ready.length : fresh).map(({ inHand }) => inHand);
  }

  /** Takes all in hand. */
  takeAll(): InHand[] {
    return this.#ready.splice(0).map(({ inHand }) => inHand);
  }

  /** One that was sent is over. */
  note({ isAnswered, isLast, durationMs }: Sent): void {
    const isQuick = isAnswered && !isLast && durationMs <= QUICK_MS;
    this.#ahead = isQuick ? Math.min(this.#ahead + LEAST_AHEAD, MOST_AHEAD) : LEAST_AHEAD;
  }
}
