import { z } from "zod";
import { handles, type JobHandler, type JobKind } from "../jobs/job-kind.ts";
import { readRecorded } from "./store.ts";
import type { Subscription } from "./subscription.ts";

interface Retry {
  readonly eventId: string;
  readonly recordedAt: string;
}

/** Events that a subscription failed to handle, one job each; `docs/operations.md` says what to do with dead ones. */
export function retryKind(subscription: string): JobKind<Retry> {
  return {
    name: `retry_${subscription}`,
    payload: z.object({ eventId: z.string(), recordedAt: z.iso.datetime() }),
  };
}

/** Handles the retries. */
export function retries({ name, handle }: Subscription): JobHandler {
  return handles(retryKind(name), async ({ payload: { eventId, recordedAt } }) => async (trx) => {
    const event = await readRecorded(trx, eventId);
    if (!event) return;
    const after = await handle(trx, [{ event, recordedAt: new Date(recordedAt) }]);
    // Runs slightly before the commit: listeners that look too early find the result at their next poll.
    after?.();
  });
}
