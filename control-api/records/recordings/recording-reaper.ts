import { messageOf } from "@parley/shared/errors.ts";
import { eraseOverdue, type OverdueDeps } from "./erase-overdue.ts";

const EVERY_MS = 60_000;

export interface ReaperDeps extends Omit<OverdueDeps, "goesOn"> {
  /** Finishes what uploads and deletions of tracks left. */
  readonly sweepTracks: () => Promise<void>;
}

/** Keeps recordings and transcripts no longer than their organization wants, and sweeps tracks; gives what stops it. */
export function startRecordingReaper(deps: ReaperDeps): () => void {
  let isStopped = false;
  let isAtWork = false;
  const round = async (): Promise<void> => {
    await eraseOverdue({ ...deps, goesOn: () => !isStopped }).catch((error: unknown) => {
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
  };
  const stopClock = deps.clock.every(EVERY_MS, () => {
    // A round that has much to do goes on beyond the next one's time.
    if (isAtWork) return;
    isAtWork = true;
    void round().finally(() => {
      isAtWork = false;
    });
  });
  return () => {
    isStopped = true;
    stopClock();
  };
}
