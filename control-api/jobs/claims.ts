import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../database/open.ts";
import type { JobHandler } from "./job-kind.ts";
import { type ClaimedJob, claimJobs, readDue } from "./store.ts";

/** SQLSTATE unique_violation: another process concurrently took a job with the same key. */
const UNIQUE_VIOLATION = "23505";
/** How often another process may come first during one look. */
const MAX_TRIES = 5;

export interface ClaimsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly handlers: readonly JobHandler[];
  readonly leaseMs: number;
  readonly freePlaces: (handler: JobHandler) => number;
  /** Called when recurring work is due later than its interval allows. */
  readonly onOverdue: () => void;
  readonly onClaimed: (job: ClaimedJob, handler: JobHandler) => void;
}

/** Finds due jobs, kind by kind, and claims as many as there are free places; then sleeps until the next is due. */
export class Claims {
  readonly #deps: ClaimsDeps;
  /** By kind: the next turn goes to the owners after this one. */
  readonly #turns = new Map<string, string>();
  #looking: Promise<void> | undefined;
  /** Something changed since the current look began. */
  #isNews = false;
  /** Urgent jobs may have been added since they were claimed last. */
  #isUrgent = false;
  #isStopped = false;
  #cancelNext: () => void = () => undefined;

  constructor(deps: ClaimsDeps) {
    this.#deps = deps;
  }

  /** Call when new jobs or free places may exist. */
  look(): void {
    this.#isNews = true;
    this.#isUrgent = true;
    if (this.#isStopped) return;
    this.#looking ??= this.#lookAll().finally(() => {
      this.#looking = undefined;
      if (this.#isNews) this.look();
    });
  }

  /** Stops claiming; resolves when the last claim is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelNext();
    await this.#looking;
  }

  async #lookAll(): Promise<void> {
    const { log } = this.#deps;
    try {
      while (this.#isNews && !this.#isStopped) {
        this.#isNews = false;
        await this.#lookOnce();
      }
    } catch (error) {
      // Due jobs stay due: the next poll tries again.
      this.#isNews = false;
      log.warn({ event: "jobs_not_claimed", err: messageOf(error) }, "failed to claim jobs");
    }
  }

  async #lookOnce(): Promise<void> {
    const { database, clock, handlers, freePlaces, onOverdue } = this.#deps;
    const free = handlers.filter((handler) => freePlaces(handler) > 0);
    if (free.length === 0) return;
    const dueAt = await readDue(
      database,
      free.map(({ kind }) => kind),
    );
    const nowMs = clock.wallMs();
    let nextMs = Number.POSITIVE_INFINITY;
    for (const handler of free) {
      await this.#fillUrgent();
      const inMs = (dueAt.get(handler.kind)?.getTime() ?? Number.POSITIVE_INFINITY) - nowMs;
      if (inMs <= 0) await this.#fill(handler);
      else nextMs = Math.min(nextMs, inMs);
      const isImpossible =
        handler.everyMs !== undefined && inMs > Math.max(handler.everyMs, this.#deps.leaseMs);
      if (isImpossible && Number.isFinite(inMs)) onOverdue();
    }
    this.#cancelNext();
    if (Number.isFinite(nextMs) && !this.#isStopped)
      this.#cancelNext = clock.after(nextMs, () => this.look());
  }

  /** Claims urgent jobs now, in the middle of a look: at a start, each kind of recurring work is due at once. */
  async #fillUrgent(): Promise<void> {
    if (!this.#isUrgent) return;
    this.#isUrgent = false;
    for (const handler of this.#deps.handlers) if (handler.isUrgent) await this.#fill(handler);
  }

  /** Claims until no place or no job is left. */
  async #fill(handler: JobHandler): Promise<void> {
    let tries = 0;
    while (!this.#isStopped && this.#deps.freePlaces(handler) > 0 && tries < MAX_TRIES) {
      const after = this.#turns.get(handler.kind) ?? "";
      const claimed = await this.#claim(handler, after);
      if (claimed === "taken") tries += 1;
      else if (claimed.length === 0 && after === "") return;
      else {
        const last = claimed
          .map(({ owner }) => owner)
          .toSorted()
          .at(-1);
        this.#turns.set(handler.kind, last ?? "");
        for (const job of claimed) this.#deps.onClaimed(job, handler);
      }
    }
  }

  async #claim(handler: JobHandler, after: string): Promise<readonly ClaimedJob[] | "taken"> {
    const { database, clock, leaseMs, freePlaces } = this.#deps;
    const nowMs = clock.wallMs();
    try {
      return await claimJobs(database, {
        kind: handler.kind,
        limit: freePlaces(handler),
        after,
        now: new Date(nowMs),
        leasedUntil: new Date(nowMs + leaseMs),
      });
    } catch (error) {
      if (Reflect.get(Object(error), "code") !== UNIQUE_VIOLATION) throw error;
      return "taken";
    }
  }
}
