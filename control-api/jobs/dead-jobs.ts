import type { Database } from "../database/open.ts";

export interface DeadJob {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly error: string | null;
  readonly diedAt: Date | null;
}

/** Jobs out of attempts, oldest first. */
export async function listDeadJobs({ db }: Database): Promise<DeadJob[]> {
  return db
    .selectFrom("jobs")
    .select(["id", "kind", "owner", "payload", "attempts", "error", "finished_at as diedAt"])
    .where("state", "=", "dead")
    .orderBy("finished_at")
    .orderBy("id")
    .execute();
}

/** Requeues dead jobs now, with as many attempts as new ones; returns how many were dead. */
export async function rerunDeadJobs({ db }: Database, ids: readonly string[], now: Date): Promise<number> {
  const rerun = await db
    .updateTable("jobs")
    .set({ state: "waiting", attempts: 0, due_at: now, finished_at: null })
    .where("state", "=", "dead")
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return rerun.length;
}

/** Returns how many were dead. */
export async function deleteDeadJobs({ db }: Database, ids: readonly string[]): Promise<number> {
  const deleted = await db
    .deleteFrom("jobs")
    .where("state", "=", "dead")
    .where("id", "in", ids)
    .returning("id")
    .execute();
  return deleted.length;
}
