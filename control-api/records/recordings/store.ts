import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

/** Where the recording of a call of this organization is stored. */
export async function findRecording({ db }: Database, orgId: string, id: string) {
  return db
    .selectFrom("recordings")
    .innerJoin("calls", "calls.session_id", "recordings.session_id")
    .select(["recordings.id as id", "recordings.key as key"])
    .where("recordings.org_id", "=", orgId)
    .where("recordings.deleted_at", "is", null)
    .where((where) => where.or([where("calls.id", "=", id), where("calls.session_id", "=", id)]))
    .executeTakeFirst();
}

/** Where a recording of any organization is stored; the signature of its link was already checked. */
export async function findRecordingById({ db }: Database, id: string) {
  return db
    .selectFrom("recordings")
    .select(["id", "key"])
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

export async function findPeaks({ db }: Database, id: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("waveforms")
    .select("peaks")
    .where("recording_id", "=", id)
    .executeTakeFirst();
  return row?.peaks;
}

/** If several processes computed peaks, the first wins; a recording that is gone gets none. */
export async function insertPeaks(
  db: Kysely<Tables>,
  { id, peaks, at }: { id: string; peaks: Buffer; at: Date },
): Promise<void> {
  await db
    .insertInto("waveforms")
    .columns(["recording_id", "peaks", "created_at"])
    .expression((eb) =>
      eb
        .selectFrom("recordings")
        .select(["id", eb.val(peaks).as("peaks"), eb.val(at).as("created_at")])
        .where("id", "=", id)
        .where("deleted_at", "is", null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Hides a recording until its file is deleted; returns false if there is none. */
export async function markRecordingDeleted(
  trx: Kysely<Tables>,
  { orgId, id, at }: { orgId: string; id: string; at: Date },
): Promise<boolean> {
  const marked = await trx
    .updateTable("recordings")
    .set({ deleted_at: at })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return marked.numUpdatedRows > 0n;
}

/** Recordings whose files must be deleted. */
export async function findDeletedRecordings({ db }: Database, limit: number) {
  return db
    .selectFrom("recordings")
    .select(["id", "key"])
    .where("deleted_at", "is not", null)
    .orderBy("deleted_at")
    .limit(limit)
    .execute();
}

/** A recording as announced, unless it is gone. */
export async function findToCompress({ db }: Database, id: string) {
  return db
    .selectFrom("recordings")
    .innerJoin("organizations", "organizations.id", "recordings.org_id")
    .select(["recordings.key as key", "recordings.org_id as orgId", "organizations.legal_hold as isHeld"])
    .where("recordings.id", "=", id)
    .where("recordings.deleted_at", "is", null)
    .executeTakeFirst();
}

/** Makes the compressed file the recording; returns false if the recording is gone. */
export async function switchToCompressed(
  trx: Kysely<Tables>,
  { id, key, to, at }: { id: string; key: string; to: string; at: Date },
): Promise<boolean> {
  const switched = await trx
    .updateTable("recordings")
    .set({ key: to, compressed_at: at })
    .where("id", "=", id)
    .where("key", "=", key)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return switched.numUpdatedRows > 0n;
}

/** Recordings compressed before `before` whose WAV file still exists, except under legal hold. */
export async function findReplaced({ db }: Database, { before, limit }: { before: Date; limit: number }) {
  return db
    .selectFrom("recordings")
    .innerJoin("organizations", "organizations.id", "recordings.org_id")
    .select(["recordings.id as id", "recordings.key as key"])
    .where("recordings.compressed_at", "<", before)
    .where("recordings.deleted_at", "is", null)
    .where("organizations.legal_hold", "=", false)
    .orderBy("recordings.compressed_at")
    .limit(limit)
    .execute();
}

/** Call once the WAV file is deleted. */
export async function markReplaced({ db }: Database, id: string): Promise<void> {
  await db.updateTable("recordings").set({ compressed_at: null }).where("id", "=", id).execute();
}

/** Moves a WAV file that cannot be deleted now behind the others. */
export async function postponeReplaced({ db }: Database, id: string, at: Date): Promise<void> {
  await db
    .updateTable("recordings")
    .set({ compressed_at: at })
    .where("id", "=", id)
    .where("compressed_at", "is not", null)
    .execute();
}

/** Call once the file is deleted; the peaks go with the row. */
export async function deleteRecordingRow({ db }: Database, id: string): Promise<void> {
  await db.deleteFrom("recordings").where("id", "=", id).execute();
}
