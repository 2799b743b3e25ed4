import { messageOf } from "@parley/shared/errors.ts";
import { type EraseDeps, eraseOverdue } from "./erase.ts";

const EVERY_MS = 10 * 60_000;

export interface ReaperDeps extends EraseDeps {
  readonly defaultDays: number;
  /** Finishes what uploads and deletions of tracks left. */
  readonly sweepTracks: () => Promise<void>;
}

/** Keeps recordings and transcripts no longer than their organization wants, and sweeps tracks; gives what stops it. */
export function startRecordingReaper(deps: ReaperDeps): () => void {
  return deps.clock.every(EVERY_MS, () => {
    eraseOverdue(deps).catch((error: unknown) => {
      deps.log.warn({ err: messageOf(error) }, "old recordings were not deleted");
    });
    deps.sweepTracks().catch((error: unknown) => {
      deps.log.warn({ err: messageOf(error) }, "unfinished tracks were not swept");
    });
  });
}
