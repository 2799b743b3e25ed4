import { messageOf } from "@parley/shared/errors.ts";
import type { Metrics } from "@parley/shared/metrics.ts";
import { tryExclusively } from "../../database/exclusively.ts";
import { deleteFiles, type EraseDeps, eraseCall } from "./erase.ts";
import { findOverdueCalls, lockOverdueCalls, readOverdueMs } from "./overdue-store.ts";

/** Calls per transaction: few enough that nobody waits long for its rows. */
const TOGETHER = 100;
/** How many undeletable calls one round skips at most. */
const MOST_FAILED = 1_000;

export interface OverdueDeps extends EraseDeps {
  /** RECORDING_RETENTION_DAYS. */
  readonly defaultDays: number;
  readonly metrics?: Pick<Metrics, "retentionDeletedTotal" | "retentionOverdueSeconds"> | undefined;
  readonly goesOn?: () => boolean;
}

/**
 * Deletes what has outlived its organization's retention, and what earlier deletions left unfinished, until nothing is
 * due. Only one process does this at a time. Every statement goes through its database's pool, which lets others have
 * their turn in between.
 */
export async function eraseOverdue(deps: OverdueDeps): Promise<void> {
  const { database, clock, defaultDays, metrics } = deps;
  await tryExclusively(database, "delete-overdue", async () => {
    await eraseCalls(deps);
    await deleteFiles(deps);
  });
  const overdueMs = await readOverdueMs(database, { now: new Date(clock.wallMs()), defaultDays });
  metrics?.retentionOverdueSeconds.set(overdueMs / 1_000);
}

async function eraseCalls(deps: OverdueDeps): Promise<void> {
  const { database, clock, defaultDays, metrics, log, goesOn = () => true } = deps;
  const failed: string[] = [];
  while (goesOn() && failed.length < MOST_FAILED) {
    const now = new Date(clock.wallMs());
    const due = await findOverdueCalls(database, { now, defaultDays, limit: TOGETHER, except: failed });
    if (due.length === 0) return;
    try {
      const deleted = await eraseTogether(due, deps);
      metrics?.retentionDeletedTotal.inc(deleted);
      // Other processes hold all of them.
      if (deleted === 0) return;
    } catch (error) {
      log.warn(
        { event: "calls_erase_batch_failed", err: messageOf(error), calls: due.length },
        "failed to delete old calls in a batch, deleting them one by one",
      );
      failed.push(...(await eraseOneByOne(due, deps)));
    }
  }
}

/** Returns how many were deleted. */
async function eraseTogether(
  due: readonly { readonly sessionId: string; readonly orgId: string }[],
  { database, clock, eraseContent }: OverdueDeps,
): Promise<number> {
  const at = new Date(clock.wallMs());
  return database.db.transaction().execute(async (trx) => {
    const sessionIds = await lockOverdueCalls(trx, due);
    if (sessionIds.length > 0) await eraseContent(trx, { sessionIds, at });
    return sessionIds.length;
  });
}

/** Returns those that were not deleted. */
async function eraseOneByOne(
  due: readonly { readonly sessionId: string; readonly orgId: string }[],
  deps: OverdueDeps,
): Promise<string[]> {
  const failed: string[] = [];
  for (const { sessionId, orgId } of due) {
    try {
      await eraseCall({ orgId, id: sessionId }, deps);
      deps.metrics?.retentionDeletedTotal.inc();
    } catch (error) {
      failed.push(sessionId);
      deps.log.warn(
        { event: "call_erase_failed", err: messageOf(error), sessionId },
        "failed to delete an old call, trying again",
      );
    }
  }
  return failed;
}
