import type { Clock } from "@parley/shared/clock.ts";
import { messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Round } from "./module.ts";

/** Runs each round every `everyMs`; returns a stop function. A failed round is logged and repeated at its next time. */
export function startRounds(
  rounds: readonly Round[],
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): () => void {
  const stopping = new AbortController();
  const stops = rounds.map((round) => {
    let isAtWork = false;
    return clock.every(round.everyMs, () => {
      if (isAtWork) return;
      isAtWork = true;
      round
        .run(stopping.signal)
        .catch((error: unknown) =>
          log.warn(
            { event: "round_failed", round: round.name, err: messageOf(error) },
            "failed to do a round, trying again at its next time",
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
