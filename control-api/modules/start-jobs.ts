import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Job } from "./module.ts";

/** Runs each job every `everyMs`; gives what stops them. A round that fails is logged, and the next one tries again. */
export function startJobs(
  jobs: readonly Job[],
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): () => void {
  const stopping = new AbortController();
  const stops = jobs.map((job) => {
    let isAtWork = false;
    return clock.every(job.everyMs, () => {
      if (isAtWork) return;
      isAtWork = true;
      job
        .run(stopping.signal)
        .catch((error: unknown) =>
          log.warn(
            { event: "job_failed", job: job.name, err: messageOf(error) },
            "failed to run a job, trying again at its next time",
          ),
        )
        .finally(() => {
          isAtWork = false;
        });
    });
  });
  return () => {
    stopping.abort();
    for (const stop of stops) stop();
  };
}
