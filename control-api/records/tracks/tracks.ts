import { durationMsOf, readPlayableWav } from "@parley/media/wav/playable-wav.ts";
import type { Clock } from "@parley/shared/clock.ts";
import { TRACK_MAX_MS, type Track } from "@parley/shared/contracts/tracks.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Database } from "../../database/open.ts";
import type { StoredFiles } from "../recordings/stored-files.ts";
import { claimHiddenTracks, deleteTrackRow, hideTrack, reserveTrack, showTrack } from "./store.ts";

const SWEPT_AFTER_MS = 10 * 60_000;

export interface TracksDeps {
  readonly database: Database;
  readonly recordings: StoredFiles;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Stores a WAV file to play into calls. Throws `AppError` validation_failed, unsupported_media_type (what is wrong with
 * the file), conflict (the quota).
 */
export async function uploadTrack(
  { orgId, name, bytes }: { readonly orgId: string; readonly name: string; readonly bytes: Buffer },
  { database, recordings, clock }: TracksDeps,
): Promise<Track> {
  const wav = readPlayableWav(bytes);
  const durationMs = durationMsOf(wav);
  if (durationMs === 0) throw new AppError("validation_failed", "the WAV file has no sound in it");
  if (durationMs > TRACK_MAX_MS)
    throw new AppError(
      "validation_failed",
      `the WAV file plays for ${Math.round(durationMs / 1_000)} s; ${TRACK_MAX_MS / 1_000} s is the most`,
    );
  const id = newId("trk");
  const key = `tracks/${orgId}/${id}.wav`;
  const at = new Date(clock.wallMs());
  const { sampleRateHz, channels } = wav;
  const facts = { id, name, durationMs, sizeBytes: bytes.length, sampleRateHz, channels };
  await reserveTrack(database, { ...facts, orgId, key, at });
  // If storing fails, the row stays hidden and is swept.
  await recordings.put(key, bytes);
  if (!(await showTrack(database, id)))
    throw new AppError("unavailable", "Storing the track took too long; upload it again.");
  return { ...facts, createdAt: at.toISOString() };
}

/** Permanently deletes a track. Throws `AppError` not_found, conflict (legal hold). */
export async function deleteTrack(
  { orgId, id }: { readonly orgId: string; readonly id: string },
  { database, recordings, clock, log }: TracksDeps,
): Promise<void> {
  const key = await hideTrack(database, { orgId, id, at: new Date(clock.wallMs()) });
  if (key === undefined) throw noSuchTrack(id);
  await removeFile({ id, key }, { database, recordings, log });
}

/** Deletes what unfinished uploads and deletions left behind. */
export async function sweepTracks({ database, recordings, clock, log }: TracksDeps): Promise<void> {
  const nowMs = clock.wallMs();
  const span = { hiddenBefore: new Date(nowMs - SWEPT_AFTER_MS), now: new Date(nowMs) };
  for (const hidden of await claimHiddenTracks(database, span))
    await removeFile(hidden, { database, recordings, log });
}

export function noSuchTrack(id: string): AppError {
  return new AppError("not_found", `There is no track ${id} in this organization.`);
}

/** Deletes the file first: otherwise a file could remain that nothing refers to. */
async function removeFile(
  { id, key }: { readonly id: string; readonly key: string },
  { database, recordings, log }: Omit<TracksDeps, "clock">,
): Promise<void> {
  try {
    await recordings.delete(key);
    await deleteTrackRow(database, id);
  } catch (error) {
    log.warn(
      { event: "track_delete_failed", err: messageOf(error), trackId: id },
      "failed to delete a track, trying again",
    );
  }
}
