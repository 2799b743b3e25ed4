import { TRACKS_MAX, TRACKS_MAX_BYTES, type Track } from "@parley/shared/contracts/tracks.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { assertNoLegalHold } from "../recordings/content-store.ts";

export interface NewTrack {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly key: string;
  readonly durationMs: number;
  readonly sizeBytes: number;
  readonly sampleRateHz: number;
  readonly channels: number;
  readonly at: Date;
}

/**
 * Reserves a track whose file is about to be stored, hidden until `showTrack`. Serializes an organization's uploads, so
 * that none slips past the quota. Throws `AppError` conflict if the quota is used up.
 */
export async function reserveTrack({ db }: Database, track: NewTrack): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .selectFrom("organizations")
      .select("id")
      .where("id", "=", track.orgId)
      .forNoKeyUpdate()
      .execute();
    const { count, bytes: taken } = await trx
      .selectFrom("ambient_tracks")
      .select(({ fn }) => [
        fn.countAll<string>().as("count"),
        fn.sum<string | null>("size_bytes").as("bytes"),
      ])
      .where("org_id", "=", track.orgId)
      .executeTakeFirstOrThrow();
    const bytes = Number(taken ?? 0);
    if (Number(count) >= TRACKS_MAX)
      throw new AppError("conflict", `An organization has at most ${TRACKS_MAX} tracks; delete one first.`);
    if (bytes + track.sizeBytes > TRACKS_MAX_BYTES)
      throw new AppError(
        "conflict",
        `The tracks of an organization have at most ${TRACKS_MAX_BYTES} bytes, and ${bytes} are taken; delete one first.`,
      );
    await trx
      .insertInto("ambient_tracks")
      .values({
        id: track.id,
        org_id: track.orgId,
        name: track.name,
        key: track.key,
        duration_ms: track.durationMs,
        size_bytes: track.sizeBytes,
        sample_rate_hz: track.sampleRateHz,
        channels: track.channels,
        created_at: track.at,
        hidden_at: track.at,
      })
      .execute();
  });
}

/** Shows the stored track. Returns false if storing took so long that the track is being swept away. */
export async function showTrack({ db }: Database, id: string): Promise<boolean> {
  const shown = await db
    .updateTable("ambient_tracks")
    .set({ hidden_at: null })
    .where("id", "=", id)
    .whereRef("hidden_at", "=", "created_at")
    .executeTakeFirst();
  return shown.numUpdatedRows > 0n;
}

export async function listTracks(database: Database, orgId: string): Promise<Track[]> {
  const rows = await selectTracks(database, orgId).orderBy("id").execute();
  return rows.map(toTrack);
}

export async function findTrack(database: Database, orgId: string, id: string) {
  const row = await selectTracks(database, orgId).where("id", "=", id).executeTakeFirst();
  return row && { key: row.key, track: toTrack(row) };
}

/** Undefined if the organization has no track. */
export async function newestTrack(database: Database, orgId: string): Promise<{ key: string } | undefined> {
  return selectTracks(database, orgId).orderBy("id", "desc").limit(1).executeTakeFirst();
}

/** Returns false if there is no such track. */
export async function renameTrack(
  { db }: Database,
  { orgId, id, name }: { readonly orgId: string; readonly id: string; readonly name: string },
): Promise<boolean> {
  const renamed = await db
    .updateTable("ambient_tracks")
    .set({ name })
    .where("org_id", "=", orgId)
    .where("id", "=", id)
    .where("hidden_at", "is", null)
    .executeTakeFirst();
  return renamed.numUpdatedRows > 0n;
}

/** Hides a track until its file is deleted; returns its key, undefined if missing. Throws conflict under legal hold. */
export async function hideTrack(
  { db }: Database,
  { orgId, id, at }: { readonly orgId: string; readonly id: string; readonly at: Date },
): Promise<string | undefined> {
  return db.transaction().execute(async (trx) => {
    await assertNoLegalHold(trx, orgId);
    const hidden = await trx
      .updateTable("ambient_tracks")
      .set({ hidden_at: at })
      .where("org_id", "=", orgId)
      .where("id", "=", id)
      .where("hidden_at", "is", null)
      .returning("key")
      .executeTakeFirst();
    return hidden?.key;
  });
}

/** Claims tracks with unfinished uploads or deletions; an upload still under way can no longer show its track. */
export async function claimHiddenTracks(
  { db }: Database,
  { hiddenBefore, now }: { readonly hiddenBefore: Date; readonly now: Date },
) {
  return db
    .updateTable("ambient_tracks")
    .set({ hidden_at: now })
    .where("hidden_at", "<", hiddenBefore)
    .returning(["id", "key"])
    .execute();
}

/** Call once the file is deleted. */
export async function deleteTrackRow({ db }: Database, id: string): Promise<void> {
  await db.deleteFrom("ambient_tracks").where("id", "=", id).where("hidden_at", "is not", null).execute();
}

function selectTracks({ db }: Database, orgId: string) {
  return db
    .selectFrom("ambient_tracks")
    .select([
      "id",
      "name",
      "key",
      "duration_ms as durationMs",
      "size_bytes as sizeBytes",
      "sample_rate_hz as sampleRateHz",
      "channels",
      "created_at as createdAt",
    ])
    .where("org_id", "=", orgId)
    .where("hidden_at", "is", null);
}

type TrackRow = Awaited<ReturnType<ReturnType<typeof selectTracks>["execute"]>>[number];

function toTrack({ key: _key, createdAt, ...track }: TrackRow): Track {
  return { ...track, createdAt: createdAt.toISOString() };
}
