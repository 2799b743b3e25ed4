import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import type { Database } from "../database/open.ts";
import { type JobHandler, JobRefused, retryAfterMs, type WriteResult } from "./job-kind.ts";
import { type ClaimedJob, PLATFORM, writeRun } from "./store.ts";

export interface RunDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "jobsTotal" | "jobSeconds">;
}

/** `lost`: another process has the job, and this run's work does not count. */
type Outcome = "done" | "failed" | "dead" | "given_back" | "lost";

/** Another process has the job: this run must write nothing. */
class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** A claimed job while this process runs it. */
export class RunningJob {
  /** Resolves when the run is over and its outcome is written. Never rejects. */
  readonly over: Promise<void>;
  readonly #claimed: ClaimedJob;
  readonly #handler: JobHandler;
  readonly #deps: RunDeps;
  readonly #abort = new AbortController();

  constructor(claimed: ClaimedJob, handler: JobHandler, deps: RunDeps) {
    this.#claimed = claimed;
    this.#handler = handler;
    this.#deps = deps;
    this.over = this.#run();
  }

  get id(): string {
    return this.#claimed.id;
  }

  get kind(): string {
    return this.#claimed.kind;
  }

  get leaseEpoch(): number {
    return this.#claimed.leaseEpoch;
  }

  /** Signals the run that its further work will not count: the process is stopping, or another one has the job. */
  abort(): void {
    this.#abort.abort();
  }

  /** Lets others take the job at once; the attempt does not count, and later writes of this run are refused. */
  async giveBack(): Promise<void> {
    const { attempts } = this.#claimed;
    const dueAt = new Date(this.#deps.clock.wallMs());
    const change = { state: "waiting", due_at: dueAt, attempts: attempts - 1 } as const;
    await writeRun(this.#deps.database.db, this.#claimed, change);
  }

  async #run(): Promise<void> {
    const { metrics, clock, log } = this.#deps;
    const { kind } = this.#claimed;
    const startedMs = clock.monotonicMs();
    const outcome = await this.#attempt().catch((error: unknown): Outcome => {
      // The lease runs out, and the job runs again.
      log.warn(
        { event: "job_outcome_not_written", job: kind, jobId: this.id, err: messageOf(error) },
        "failed to write what became of a job",
      );
      return "lost";
    });
    metrics.jobsTotal.inc({ kind, outcome });
    metrics.jobSeconds.observe({ kind }, (clock.monotonicMs() - startedMs) / 1_000);
  }

  async #attempt(): Promise<Outcome> {
    const { attempts, payload } = this.#claimed;
    // Earlier processes died before they could report what is wrong.
    if (attempts > this.#handler.attempts)
      return this.#fail(
        new JobRefused("each process that ran it ended before it did"),
        this.#handler.cutOff?.(payload),
      );
    let write: WriteResult | undefined;
    try {
      const given = await this.#handler.run({
        jobId: this.id,
        orgId: this.#claimed.owner === PLATFORM ? null : this.#claimed.owner,
        payload,
        attempt: attempts,
        signal: this.#abort.signal,
        progress: (progress) => this.#noteProgress(progress),
      });
      write = typeof given === "function" ? given : undefined;
    } catch (error) {
      return this.#fail(error);
    }
    return this.#finish(write);
  }

  async #finish(write: WriteResult | undefined): Promise<Outcome> {
    const { database, clock } = this.#deps;
    const { everyMs } = this.#handler;
    const nowMs = clock.wallMs();
    const change =
      everyMs === undefined
        ? ({ state: "done", finished_at: new Date(nowMs), error: null } as const)
        : ({ state: "waiting", due_at: new Date(nowMs + everyMs), attempts: 0, error: null } as const);
    try {
      const committed = await database.db.transaction().execute(async (trx) => {
        if (!(await writeRun(trx, this.#claimed, change))) throw new LeaseLost();
        return write?.(trx);
      });
      if (typeof committed === "function") committed();
      return "done";
    } catch (error) {
      return error instanceof LeaseLost ? "lost" : this.#fail(error);
    }
  }

  /** `write`: what else is written once it is put aside. */
  async #fail(error: unknown, write?: WriteResult): Promise<Outcome> {
    const { clock, log } = this.#deps;
    const { id: jobId, kind, attempts } = this.#claimed;
    if (error instanceof LeaseLost) return "lost";
    if (this.#abort.signal.aborted) {
      await this.giveBack();
      return "given_back";
    }
    const isDead = error instanceof JobRefused || attempts >= this.#handler.attempts;
    const now = new Date(clock.wallMs());
    const again = {
      state: "waiting",
      due_at: new Date(now.getTime() + retryAfterMs(this.#handler, attempts)),
    } as const;
    const change = isDead ? ({ state: "dead", finished_at: now } as const) : again;
    const isOurs = await this.#putAside({ ...change, error: messageOf(error) }, write);
    const about = { job: kind, jobId, attempts, err: messageOf(error) };
    if (!isOurs) return "lost";
    if (isDead) log.error({ event: "job_dead", ...about }, "failed to run a job for good, it was put aside");
    else log.warn({ event: "job_failed", ...about }, "failed to run a job, trying again");
    return isDead ? "dead" : "failed";
  }

  /** Returns false if another process has the job now. */
  async #putAside(change: Parameters<typeof writeRun>[2], write: WriteResult | undefined): Promise<boolean> {
    const { db } = this.#deps.database;
    if (!write) return writeRun(db, this.#claimed, change);
    let committed: (() => void) | undefined;
    const isOurs = await db.transaction().execute(async (trx) => {
      if (!(await writeRun(trx, this.#claimed, change))) return false;
      committed = (await write(trx)) ?? undefined;
      return true;
    });
    committed?.();
    return isOurs;
  }

  async #noteProgress(progress: object): Promise<void> {
    const isOurs = await writeRun(this.#deps.database.db, this.#claimed, {
      progress: JSON.stringify(progress),
    });
    if (!isOurs) throw new LeaseLost();
  }
}
