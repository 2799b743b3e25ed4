import type { Clock } from "@parley/shared/clock.ts";
import type { Database } from "@parley/shared/database/open.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import { assertNoLegalHold, deleteContent, findOverdueCalls, lockCall } from "./content-store.ts";
import { deleteRecordingRow, findDeletedRecordings, markRecordingDeleted } from "./store.ts";
import type { StoredFiles } from "./stored-files.ts";

const AT_ONCE = 200;

export interface EraseDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Deletes what was said in a call, for good. Throws `AppError` not_found, conflict (the call goes on, or legal
 * hold). Gives the call's ids.
 */
export async function eraseCall(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  deps: EraseDeps,
): Promise<{ id: string; sessionId: string }> {
  const at = new Date(deps.clock.wallMs());
  const call = await deps.database.db.transaction().execute(async (trx) => {
    await assertNoLegalHold(trx, orgId);
    const found = await lockCall(trx, orgId, id);
    if (!found) throw new AppError("not_found", "There is no such call in this organization.");
    if (found.endedAt === null) throw new AppError("conflict", "The call goes on; end it first.");
    await deleteContent(trx, { sessionId: found.sessionId, at });
    return found;
  });
  await deleteFiles(deps);
  return { id: call.id, sessionId: call.sessionId };
}

/** Deletes one recording with its peaks. Throws `AppError` not_found, conflict (legal hold). */
export async function eraseRecording(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  deps: EraseDeps,
): Promise<void> {
  const at = new Date(deps.clock.wallMs());
  await deps.database.db.transaction().execute(async (trx) => {
    await assertNoLegalHold(trx, orgId);
    if (!(await markRecordingDeleted(trx, { orgId, id, at })))
      throw new AppError("not_found", "There is no such recording in this organization.");
  });
  await deleteFiles(deps);
}

/**
 * Deletes the files of recordings that are marked, then their rows: whatever ends this in between, the row is there
 * to try again, and nobody is shown a recording without a file.
 */
async function deleteFiles({ database, recordings, log }: EraseDeps): Promise<void> {
  for (const { id, key } of await findDeletedRecordings(database, AT_ONCE)) {
    try {
      await recordings.delete(key);
      await deleteRecordingRow(database, id);
    } catch (error) {
      log.warn({ err: messageOf(error), recordingId: id }, "a recording was not deleted, it is tried again");
    }
  }
}

/** Deletes what organizations do not want kept any longer, and what an earlier deletion has left to do. */
export async function eraseOverdue(deps: EraseDeps & { readonly defaultDays: number }): Promise<void> {
  const { database, clock, log, defaultDays } = deps;
  const now = new Date(clock.wallMs());
  for (const call of await findOverdueCalls(database, { now, defaultDays, limit: AT_ONCE })) {
    await eraseCall(call, deps).catch((error: unknown) => {
      log.warn(
        { err: messageOf(error), sessionId: call.id },
        "an old call was not deleted, it is tried again",
      );
    });
  }
  await deleteFiles(deps);
}
