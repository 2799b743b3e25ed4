import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { JobKind } from "./job-kind.ts";
import { insertJob, PLATFORM } from "./store.ts";

/** Announces that some process added jobs. */
export const JOBS_CHANNEL = "jobs-due";

export interface NewJob<P> {
  readonly payload: P;
  /** Absent if the job belongs to no organization. */
  readonly orgId?: string | undefined;
  /** Jobs with the same kind, organization and key run one at a time. */
  readonly key?: string | undefined;
  /** Unique per kind and organization: another job with this name is not added until a day after this one ended. */
  readonly once?: string | undefined;
  /** Earliest start; defaults to now. */
  readonly runAt?: Date | undefined;
}

/** Adds a job as `JobQueue.add` does, where there is no queue to announce it: the next poll finds it. */
export async function addJob<P extends object>(
  trx: Kysely<Tables>,
  { name, payload: schema }: JobKind<P>,
  { payload, orgId, key, once, runAt }: NewJob<P>,
  now: Date,
): Promise<string | undefined> {
  const owner = orgId ?? PLATFORM;
  const id = once === undefined ? newId("job") : `job:${name}:${owner}:${once}`;
  const row = { id, kind: name, owner, key: key ?? null, payload: JSON.stringify(schema.parse(payload)) };
  const isNew = await insertJob(trx, { ...row, due_at: runAt ?? now, created_at: now });
  return isNew ? id : undefined;
}

/** Takes work that outlives a request. Only within `control-api`: any process may add jobs and run them. */
export class JobQueue {
  readonly #clock: Clock;
  readonly #channels: Channels;
  #onAdded: () => void = () => undefined;

  constructor({ clock, channels }: { readonly clock: Clock; readonly channels: Channels }) {
    this.#clock = clock;
    this.#channels = channels;
  }

  /**
   * Adds a job in the caller's transaction: it exists only if the caller's writes do. Returns its id, or undefined if
   * it exists (`once`). Call `announce` after the commit, or the next poll finds the job.
   */
  add<P extends object>(trx: Kysely<Tables>, kind: JobKind<P>, job: NewJob<P>): Promise<string | undefined> {
    return addJob(trx, kind, job, new Date(this.#clock.wallMs()));
  }

  /** Call once jobs are committed: this process or another one takes them. */
  announce(): void {
    this.#onAdded();
    // Without the bus, polling finds the jobs.
    this.#channels.publish(JOBS_CHANNEL, "").catch(() => undefined);
  }

  /** Sets what this process does on `announce`. */
  onAdded(listener: () => void): void {
    this.#onAdded = listener;
  }
}
