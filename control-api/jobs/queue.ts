import type { Channels } from "@parley/shared/bus/bus.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";
import type { JobKind } from "./job-kind.ts";
import { insertJob, PLATFORM } from "./store.ts";

/** Jobs were added, in some process. */
export const JOBS_CHANNEL = "jobs-due";

export interface NewJob<P> {
  readonly payload: P;
  /** Whose; absent: of no organization. */
  readonly orgId?: string | undefined;
  /** Of those of a kind and organization with the same key one runs at a time. */
  readonly key?: string | undefined;
  /** Makes it the only one: another with this name (of the kind and organization) is not added, until a day after it ended. */
  readonly once?: string | undefined;
  /** Not before; at once when absent. */
  readonly runAt?: Date | undefined;
}

/** Where districts put work that outlives the request. Only inside of `control-api`; every process may add, and any may do it. */
export class JobQueue {
  readonly #clock: Clock;
  readonly #channels: Channels;
  #onAdded: () => void = () => undefined;

  constructor({ clock, channels }: { readonly clock: Clock; readonly channels: Channels }) {
    this.#clock = clock;
    this.#channels = channels;
  }

  /**
   * Adds a job in the caller's transaction: it is there if what it follows from is. Gives its id, undefined when it was there
   * (`once`). Call `announce` after the commit; without it the next poll finds the job.
   */
  async add<P extends object>(
    trx: Kysely<Tables>,
    { name, payload: schema }: JobKind<P>,
    { payload, orgId, key, once, runAt }: NewJob<P>,
  ): Promise<string | undefined> {
    const now = new Date(this.#clock.wallMs());
    const owner = orgId ?? PLATFORM;
    const id = once === undefined ? newId("job") : `job:${name}:${owner}:${once}`;
    const row = { id, kind: name, owner, key: key ?? null, payload: JSON.stringify(schema.parse(payload)) };
    const isNew = await insertJob(trx, { ...row, due_at: runAt ?? now, created_at: now });
    return isNew ? id : undefined;
  }

  /** Jobs were committed: this process takes them, or another one that is told. */
  announce(): void {
    this.#onAdded();
    // Without the bus the poll finds them.
    this.#channels.publish(JOBS_CHANNEL, "").catch(() => undefined);
  }

  /** What this process does when it announces some. */
  onAdded(listener: () => void): void {
    this.#onAdded = listener;
  }
}
