import type { Channels, Unsubscribe } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Database } from "../database/open.ts";
import { Claims } from "./claims.ts";
import type { JobHandler } from "./job-kind.ts";
import { JOBS_CHANNEL, type JobQueue } from "./queue.ts";
import { RunningJob } from "./running-job.ts";
import { type ClaimedJob, ensurePeriodic, readDepths, renewLeases } from "./store.ts";

/** The safety net: with the bus, due jobs are found at once. */
const POLL_MS = 5_000;
/** A process that has not renewed for this long counts as dead, and others take its jobs. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
const MEASURE_MS = 15_000;
/** Time for running jobs to finish when this process stops; afterwards they are given back. */
const GRACE_MS = 1_500;

export interface JobRunnerDeps {
  readonly database: Database;
  readonly channels: Channels;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<
    Metrics,
    "jobsTotal" | "jobSeconds" | "jobsDue" | "jobsDead" | "jobsOldestDueSeconds"
  >;
  readonly queue: JobQueue;
  readonly handlers: readonly JobHandler[];
}

/**
 * Runs the jobs of all districts, across any number of processes (docs/decisions/jobs.md). A run's writes count only
 * while this process holds its lease.
 */
export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #handlers: ReadonlyMap<string, JobHandler>;
  readonly #running = new Set<RunningJob>();
  readonly #claims: Claims;
  #isStopped = false;
  #stops: (() => void)[] = [];
  #stopListening: Promise<Unsubscribe | undefined> = Promise.resolve(undefined);

  /** Throws if two handlers have the same kind. */
  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#handlers = new Map(deps.handlers.map((handler) => [handler.kind, handler]));
    if (this.#handlers.size < deps.handlers.length)
      throw new Error(`two handlers are of one kind: ${deps.handlers.map(({ kind }) => kind).join(", ")}`);
    this.#claims = new Claims({
      ...deps,
      leaseMs: LEASE_MS,
      freePlaces: (handler) => handler.sideBySide - this.#countOf(handler.kind),
      onOverdue: () => void this.#callBack(),
      onClaimed: (job, handler) => this.#begin(job, handler),
    });
  }

  start(): void {
    const { clock, channels, queue } = this.#deps;
    queue.onAdded(() => this.wake());
    this.#stopListening = channels.subscribe(JOBS_CHANNEL, () => this.wake()).catch(() => undefined);
    this.#stops = [
      clock.every(POLL_MS, () => this.wake()),
      clock.every(
        RENEW_MS,
        oneAtATime(() => this.#renew()),
      ),
      clock.every(
        MEASURE_MS,
        oneAtATime(() => this.#measure()),
      ),
    ];
    void this.#callBack();
  }

  /** Looks for due jobs now. */
  wake(): void {
    this.#claims.look();
  }

  /** Takes no new jobs; resolves when running ones have finished or were given back. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    await (await this.#stopListening)?.().catch(() => undefined);
    await this.#claims.stop();
    for (const job of this.#running) job.abort();
    let cancel: () => void = () => undefined;
    const grace = new Promise<void>((resolve) => {
      cancel = this.#deps.clock.after(GRACE_MS, resolve);
    });
    await Promise.race([Promise.all([...this.#running].map(({ over }) => over)), grace]);
    cancel();
    const left = [...this.#running];
    await Promise.all(left.map((job) => job.giveBack().catch(() => undefined)));
    if (left.length > 0) this.#deps.queue.announce();
  }

  #begin(claimed: ClaimedJob, handler: JobHandler): void {
    // This process stalled for longer than a lease, so its earlier run has lost the job as well.
    for (const lapsed of this.#running) if (lapsed.id === claimed.id) lapsed.abort();
    const job = new RunningJob(claimed, handler, this.#deps);
    this.#running.add(job);
    void job.over.then(() => {
      this.#running.delete(job);
      // Another process may be waiting for this key, or have more to do now that this one released it.
      if (claimed.key !== null && handler.everyMs === undefined) this.#deps.queue.announce();
      else this.wake();
    });
  }

  #countOf(kind: string): number {
    let count = 0;
    for (const job of this.#running) if (job.kind === kind) count += 1;
    return count;
  }

  /** Ensures that recurring work has its job, due no later than its interval allows. */
  async #callBack(): Promise<void> {
    const { database, clock, log } = this.#deps;
    const periodic = [...this.#handlers.values()].flatMap(({ kind, everyMs }) =>
      everyMs === undefined ? [] : [{ kind, everyMs }],
    );
    try {
      await ensurePeriodic(database, periodic, new Date(clock.wallMs()));
    } catch (error) {
      log.warn(
        { event: "periodic_jobs_not_planned", err: messageOf(error) },
        "failed to plan periodic jobs, trying again",
      );
    }
    if (!this.#isStopped) this.wake();
  }

  async #renew(): Promise<void> {
    const { database, clock, log } = this.#deps;
    const running = [...this.#running];
    if (running.length === 0) return;
    try {
      const leases = running.map(({ id, leaseEpoch }) => ({ id, leaseEpoch }));
      const ours = await renewLeases(database, leases, new Date(clock.wallMs() + LEASE_MS));
      for (const job of running) if (!ours.has(job.id)) job.abort();
    } catch (error) {
      log.warn(
        { event: "job_leases_not_renewed", err: messageOf(error), jobs: running.length },
        "failed to renew the leases of jobs",
      );
    }
  }

  async #measure(): Promise<void> {
    const { database, clock, metrics, log } = this.#deps;
    try {
      const depths = await readDepths(database, new Date(clock.wallMs()));
      for (const gauge of [metrics.jobsDue, metrics.jobsDead, metrics.jobsOldestDueSeconds]) gauge.reset();
      for (const { kind, due, dead, oldestDueMs } of depths) {
        metrics.jobsDue.set({ kind }, due);
        metrics.jobsDead.set({ kind }, dead);
        metrics.jobsOldestDueSeconds.set({ kind }, oldestDueMs / 1_000);
      }
    } catch (error) {
      log.warn({ event: "jobs_not_counted", err: messageOf(error) }, "failed to count jobs");
    }
  }
}

/** Skips ticks while the previous one is still running, so that a slow database does not get ever more queries. */
function oneAtATime(work: () => Promise<void>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void work().finally(() => {
      isUnderWay = false;
    });
  };
}
