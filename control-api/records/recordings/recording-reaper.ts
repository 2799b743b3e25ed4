import { messageOf } from "@parley/shared/errors.ts";
import { every, type JobHandler } from "../../jobs/job-kind.ts";
import { eraseOverdue, type OverdueDeps } from "./erase-overdue.ts";

const EVERY_MS = 60_000;

export interface ReaperDeps extends Omit<OverdueDeps, "goesOn"> {
  /** Finishes interrupted uploads and deletions of tracks. */
  readonly sweepTracks: () => Promise<void>;
}

/** Enforces organizations' retention of recordings and transcripts, and sweeps tracks. */
export function recordingReaper(deps: ReaperDeps): JobHandler {
  return every(EVERY_MS, "erase_overdue_calls", async (signal) => {
    await eraseOverdue({ ...deps, goesOn: () => !signal.aborted }).catch((error: unknown) => {
      deps.log.warn(
        { event: "recordings_cleanup_failed", err: messageOf(error) },
        "failed to delete old recordings",
      );
    });
    await deps.sweepTracks().catch((error: unknown) => {
      deps.log.warn(
        { event: "tracks_cleanup_failed", err: messageOf(error) },
        "failed to delete unfinished tracks",
      );
    });
  });
}
