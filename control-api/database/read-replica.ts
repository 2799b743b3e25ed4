import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { sql } from "kysely";
import { failureOf } from "./failures.ts";
import type { Database } from "./open.ts";

/** Between two questions whether the replica has come as far as the primary: doubled each time, up to the most. */
const LOOK_AGAIN_MS = { first: 1, most: 16 };
/** How long the replica may take for an answer, beyond the wait, before it counts as gone. */
const ANSWERS_WITHIN_MS = 500;
/** How long reads stay on the primary before a replica that was gone is tried again. */
const RETRY_MS = 5_000;

/** What answered a read: the replica, or the primary because the replica was late, gone, or failed at it. */
export type ReadOutcome = "replica" | "late" | "gone" | "failed";

type State = "in_step" | "late" | "gone";

export interface ReadReplicaDeps {
  /** Its connections for reads. */
  readonly primary: Database;
  readonly replica: Database;
  /** How long a read waits for the replica to catch up, ms. */
  readonly waitMs: number;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onRead: (outcome: ReadOutcome) => void;
}

/**
 * Reads from a standby of the primary, and never sees less than what was committed before the read began, by whichever
 * process: the standby must first have replayed the primary's log up to its end at that time. A standby that is late
 * or gone is passed over; see `docs/operations.md#read-replica`.
 */
export class ReadReplica {
  readonly #deps: ReadReplicaDeps;
  #state: State = "in_step";
  #retryAtMs = 0;
  #isSameDatabase = false;

  constructor(deps: ReadReplicaDeps) {
    this.#deps = deps;
  }

  /** `work` only reads, and may run a second time on the primary. Throws what it throws there. */
  async read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const { primary, replica, onRead } = this.#deps;
    const state = await this.#look();
    if (state !== "in_step") {
      onRead(state);
      return work(primary);
    }
    try {
      const answer = await work(replica);
      onRead("replica");
      return answer;
    } catch (error) {
      if (!isOfReplica(error)) throw error;
      if (failureOf(error) === "away") this.#become("gone", messageOf(error));
      onRead("failed");
      return work(primary);
    }
  }

  async #look(): Promise<State> {
    const { clock, waitMs } = this.#deps;
    if (this.#state === "gone") {
      if (clock.monotonicMs() < this.#retryAtMs) return "gone";
      // Others go on to the primary while this read tries.
      this.#retryAtMs = clock.monotonicMs() + RETRY_MS;
    }
    const target = positionOf(await positionOfPrimary(this.#deps.primary));
    const silent = Promise.withResolvers<State>();
    const cancel = clock.after(waitMs + ANSWERS_WITHIN_MS, () => silent.resolve("gone"));
    // A replica that was late is not waited for again until it has caught up.
    const untilMs = clock.monotonicMs() + (this.#state === "late" ? 0 : waitMs);
    try {
      const state = await Promise.race([this.#reach(target, untilMs), silent.promise]);
      this.#become(state, state === "gone" ? "it did not answer in time" : undefined);
      return state;
    } catch (error) {
      this.#become("gone", messageOf(error));
      return "gone";
    } finally {
      cancel();
    }
  }

  /** Resolves to `in_step` once the replica has replayed `target`, and to `late` when it has not by `untilMs`. */
  async #reach(target: bigint, untilMs: number): Promise<State> {
    const { primary, replica, clock } = this.#deps;
    if (!this.#isSameDatabase) {
      const [ours, theirs] = await Promise.all([identityOf(primary), identityOf(replica)]);
      if (ours !== theirs) throw new Error("DATABASE_REPLICA_URL is no replica of DATABASE_URL");
      this.#isSameDatabase = true;
    }
    let pauseMs = LOOK_AGAIN_MS.first;
    while (positionOf(await positionOfReplica(replica)) < target) {
      if (clock.monotonicMs() >= untilMs) return "late";
      await new Promise<void>((resolve) => void clock.after(pauseMs, resolve));
      pauseMs = Math.min(LOOK_AGAIN_MS.most, 2 * pauseMs);
    }
    return "in_step";
  }

  #become(state: State, problem: string | undefined): void {
    const before = this.#state;
    this.#state = state;
    if (state === "gone") {
      this.#retryAtMs = this.#deps.clock.monotonicMs() + RETRY_MS;
      this.#isSameDatabase = false;
    }
    if (state === before) return;
    const { log } = this.#deps;
    if (state === "in_step") log.info({ event: "replica_in_step" }, "lists are read from the replica again");
    else
      log.warn(
        { event: "replica_not_in_step", state, err: problem },
        "failed to keep lists on the replica; they are read from the primary",
      );
  }
}

async function positionOfPrimary(primary: Database): Promise<string | null | undefined> {
  const { rows } = await sql<{ lsn: string | null }>`
    select pg_current_wal_flush_lsn()::text as lsn`.execute(primary.db);
  return rows[0]?.lsn;
}

/** Null if it is no standby (any more): one that was promoted keeps the position at which it was. */
async function positionOfReplica(replica: Database): Promise<string | null | undefined> {
  const { rows } = await sql<{ lsn: string | null }>`
    select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as lsn`.execute(replica.db);
  return rows[0]?.lsn;
}

async function identityOf({ db }: Database): Promise<string | undefined> {
  const { rows } = await sql<{ identity: string }>`
    select system_identifier || ' ' || current_database() as identity from pg_control_system()`.execute(db);
  return rows[0]?.identity;
}

/** Of `16/B374D848`, two halves in hexadecimal. */
function positionOf(lsn: string | null | undefined): bigint {
  const [high, low] = (lsn ?? "").split("/");
  if (!high || !low) throw new Error("DATABASE_REPLICA_URL is no standby");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** A read that would have failed on the primary, too, is not repeated there. */
function isOfReplica(error: unknown): boolean {
  if (error instanceof AppError) return error.code === "unavailable";
  const failure = failureOf(error);
  return failure === "away" || failure === "again";
}
