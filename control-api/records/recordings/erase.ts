import type { Clock } from "@parley/shared/clock.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import type { EraseContent } from "../../modules/module.ts";
import { assertNoLegalHold, lockCall } from "./content-store.ts";
import { keysOf } from "./kept-forms.ts";
import { deleteRecordingRow, findDeletedRecordings, markRecordingDeleted } from "./store.ts";
import type { StoredFiles } from "./stored-files.ts";

/** Files deleted concurrently. */
const AT_ONCE = 20;

export interface EraseDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of all districts. */
  readonly eraseContent: EraseContent;
}

/**
 * Permanently deletes what was said in a call. Throws `AppError` not_found, conflict (the call is in progress, or legal
 * hold). Returns the call's ids.
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
    if (found.endedAt === null)
      throw new AppError("conflict", "The call is still in progress. End it first.");
    await deps.eraseContent(trx, { sessionIds: [found.sessionId], at });
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
 * Deletes the files of marked recordings, then their rows: if interrupted, the row remains for a retry, and nobody is
 * shown a recording without a file. Ends when none are left, or none of a step could be deleted.
 */
export async function deleteFiles(deps: EraseDeps): Promise<void> {
  for (;;) {
    const marked = await findDeletedRecordings(deps.database, AT_ONCE);
    const results = await Promise.all(marked.map((recording) => deleteFile(recording, deps)));
    if (marked.length < AT_ONCE || !results.includes(true)) return;
  }
}

/** Returns false if the file was not deleted. */
async function deleteFile(
  { id, key }: { readonly id: string; readonly key: string },
  { database, recordings, log }: EraseDeps,
): Promise<boolean> {
  try {
    // Every form: a file may exist that the row does not name yet, or no longer names.
    for (const each of keysOf(key)) await recordings.delete(each);
    await deleteRecordingRow(database, id);
    return true;
  } catch (error) {
    log.warn(
      { event: "recording_delete_failed", err: messageOf(error), recordingId: id },
      "failed to delete a recording, trying again",
    );
    return false;
  }
}
