import { messageOf } from "@parley/shared/errors.ts";
import { sweepTracks } from "../tracks/tracks.ts";
import { type EraseDeps, eraseOverdue } from "./erase.ts";

const EVERY_MS = 10 * 60_000;

/**
 * Keeps recordings and transcripts no longer than their organization wants, and finishes what uploads and deletions
 * of tracks left; gives what stops it.
 */
export function startRecordingReaper(deps: EraseDeps & { readonly defaultDays: number }): () => void {
  return deps.clock.every(EVERY_MS, () => {
    eraseOverdue(deps).catch((error: unknown) => {
      deps.log.warn({ err: messageOf(error) }, "old recordings were not deleted");
    });
    sweepTracks(deps).catch((error: unknown) => {
      deps.log.warn({ err: messageOf(error) }, "unfinished tracks were not swept");
    });
  });
}
