import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";

export interface StopStep {
  /** What is being stopped, for log lines. */
  readonly name: string;
  readonly withinMs: number;
  stop(): Promise<unknown>;
}

/**
 * Stops one thing after another, waiting for none beyond its limit: another process takes over what it holds once its
 * lease or claim expires.
 */
export async function stopInSteps(
  steps: readonly StopStep[],
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<void> {
  for (const { name, withinMs, stop } of steps) {
    const isInTime = await new Promise<boolean>((resolve) => {
      const cancel = clock.after(withinMs, () => resolve(false));
      stop()
        .catch((error: unknown) =>
          log.warn(
            { event: "stop_step_failed", err: messageOf(error), what: name },
            "failed to stop in order",
          ),
        )
        .finally(() => {
          cancel();
          resolve(true);
        });
    });
    if (!isInTime)
      log.warn(
        { event: "stop_step_timed_out", what: name, withinMs },
        "a part did not stop in time and was abandoned",
      );
  }
}
