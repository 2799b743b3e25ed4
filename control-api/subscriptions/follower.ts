import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { type Failure, failureOf } from "../database/failures.ts";
import type { Database } from "../database/open.ts";
import type { JobQueue } from "../jobs/queue.ts";
import type { RecentEvents } from "./recent-events.ts";
import { retryKind } from "./retries.ts";
import { lockCursor, moveCursor, type Next, readNext } from "./store.ts";
import type { AfterCommit, Subscription } from "./subscription.ts";

/** As many as the event projector records at once: a batch costs eight round trips to the database. */
const BATCH = 200;
/** Tries of a batch blocked by another writer. */
const MAX_AT_ONCE = 5;
/** Delay before retrying while the database is away. */
const AWAY_MS = 500;

export interface FollowerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly queue: Pick<JobQueue, "add" | "announce">;
  readonly metrics: Pick<Metrics, "subscriptionEventsTotal">;
  readonly recent: Pick<RecentEvents, "after">;
}

/** Thrown for errors of the subscription itself; other errors are not about the events. */
class HandlerFailed extends Error {
  override readonly name = "HandlerFailed";
}

/** A step's result: how many events it handled, and whether more may follow. */
interface Step {
  readonly handled: number;
  readonly mayBeMore: boolean;
}

/**
 * Advances one subscription from its cursor, batch by batch, with any number of processes taking turns. A failing batch
 * is halved until only the faulty event remains, which becomes a job while the others proceed.
 */
export class Follower {
  readonly #subscription: Subscription;
  readonly #deps: FollowerDeps;
  #working: Promise<void> | undefined;
  #isNews = false;
  #isStopped = false;
  #limit = BATCH;
  #cancelRetry: () => void = () => undefined;
  #isAway = false;

  constructor(subscription: Subscription, deps: FollowerDeps) {
    this.#subscription = subscription;
    this.#deps = deps;
  }

  get name(): string {
    return this.#subscription.name;
  }

  wants(types: ReadonlySet<string>): boolean {
    return this.#subscription.types.some((type) => types.has(type));
  }

  /** Call when new events may exist. */
  wake(): void {
    this.#isNews = true;
    if (this.#isStopped) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#isNews && !this.#isAway) this.wake();
    });
  }

  /** Resolves when pending work is finished and everything recorded so far is handled. */
  async stop(): Promise<void> {
    await this.#working;
    this.#isStopped = true;
    this.#cancelRetry();
    await this.#working;
  }

  async #work(): Promise<void> {
    const { clock, log } = this.#deps;
    this.#isNews = false;
    try {
      while (!this.#isStopped && (await this.#step()));
      if (this.#isAway)
        log.info({ event: "subscription_resumed", subscription: this.name }, "a subscription goes on");
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway)
        log.warn(
          { event: "subscription_held_up", subscription: this.name, err: messageOf(error) },
          "failed to take a subscription on, trying again",
        );
      // One line per outage.
      this.#isAway = true;
      this.#cancelRetry = clock.after(AWAY_MS, () => this.wake());
    }
  }

  /** Returns true if there may be more. Throws if the database is away; nothing is lost then. */
  async #step(): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        const { handled, mayBeMore } = await this.#take((trx, { events }) =>
          this.#subscription.handle(trx, events).catch((cause: unknown) => {
            throw new HandlerFailed("the subscription failed", { cause });
          }),
        );
        this.#count("handled", handled);
        this.#limit = BATCH;
        return mayBeMore;
      } catch (error) {
        if (!(error instanceof HandlerFailed)) throw error;
        const failure = await this.#meaningOf(error.cause);
        if (failure === "away") throw error.cause;
        if (failure === "again" && tries < MAX_AT_ONCE) continue;
        if (this.#limit === 1) return this.#putAside(error.cause);
        this.#limit = Math.ceil(this.#limit / 2);
        return true;
      }
    }
  }

  /** If the database still answers, the subscription's own errors are not about the database. */
  async #meaningOf(error: unknown): Promise<Failure> {
    const failure = failureOf(error);
    if (failure !== "away") return failure;
    return this.#deps.database.ping().then(
      () => "unclear" as const,
      () => "away" as const,
    );
  }

  async #take(handle: (trx: Database["db"], next: Next) => Promise<AfterCommit | undefined>): Promise<Step> {
    const { types, name } = this.#subscription;
    const limit = this.#limit;
    let after: AfterCommit | undefined;
    const step = await this.#deps.database.db.transaction().execute(async (trx) => {
      const cursor = await lockCursor(trx, name);
      const known = this.#deps.recent.after(cursor.position);
      const next = await readNext(trx, cursor, { types, limit, known });
      after = next.events.length > 0 ? await handle(trx, next) : undefined;
      if (next.position > cursor.position) await moveCursor(trx, name, next.position);
      return { handled: next.events.length, mayBeMore: next.isFull };
    });
    after?.();
    return step;
  }

  /** Turns the one faulty event into a job. */
  async #putAside(error: unknown): Promise<boolean> {
    const { queue, log } = this.#deps;
    const { mayBeMore } = await this.#take(async (trx, { events }) => {
      for (const { event, recordedAt } of events) {
        const payload = { eventId: event.id, recordedAt: recordedAt.toISOString() };
        await queue.add(trx, retryKind(this.name), { payload, orgId: event.orgId, once: event.id });
        const { id: eventId, sessionId, orgId, type } = event;
        log.error(
          {
            event: "subscribed_event_put_aside",
            subscription: this.name,
            eventId,
            sessionId,
            orgId,
            type,
            err: messageOf(error),
          },
          "failed to handle a recorded event, it is tried again as a job",
        );
      }
      return () => queue.announce();
    });
    this.#count("put_aside", 1);
    this.#limit = BATCH;
    return mayBeMore;
  }

  #count(outcome: "handled" | "put_aside", events: number): void {
    if (events > 0)
      this.#deps.metrics.subscriptionEventsTotal.inc({ subscription: this.name, outcome }, events);
  }
}
