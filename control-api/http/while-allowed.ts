import type { Clock } from "@parley/shared/clock.ts";
import { AppError } from "@parley/shared/errors.ts";

/** As often as other streams are looked after (docs/decisions/rest.md#stream-outlives-access-token). */
const LOOK_EVERY_MS = 15_000;
const SERVER_ERROR = 500;

/**
 * Passes on what a download is made of while its reader may have it: it may take hours, and reads what there is by then.
 * Throws what `recheck` throws once the right has ended.
 */
export async function* whileAllowed<T>(
  chunks: AsyncIterable<T>,
  recheck: () => Promise<unknown>,
  clock: Pick<Clock, "monotonicMs">,
): AsyncGenerator<T> {
  let lookedMs = clock.monotonicMs();
  for await (const chunk of chunks) {
    if (clock.monotonicMs() - lookedMs >= LOOK_EVERY_MS) {
      await recheck().catch((error: unknown) => {
        // A database that is away says nothing about the right; the next look will.
        if (error instanceof AppError && error.status < SERVER_ERROR) throw error;
      });
      lookedMs = clock.monotonicMs();
    }
    yield chunk;
  }
}
