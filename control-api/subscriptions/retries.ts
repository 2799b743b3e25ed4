import { z } from "zod";
import { handles, type JobHandler, type JobKind } from "../jobs/job-kind.ts";
import { readRecorded } from "./store.ts";
import type { Subscription } from "./subscription.ts";

interface Retry {
  readonly eventId: string;
  readonly recordedAt: string;
}

/** Events that a subscription could not deal with, each a job of its own: `docs/operations.md` says what to do with dead ones. */
export function retryKind(subscription: string): JobKind<Retry> {
  return {
    name: `retry_${subscription}`,
    payload: z.object({ eventId: z.string(), recordedAt: z.iso.datetime() }),
  };
}

/** How they are tried again. */
export function retries({ name, handle }: Subscription): JobHandler {
  return handles(retryKind(name), async ({ payload: { eventId, recordedAt } }) => async (trx) => {
    const event = await readRecorded(trx, eventId);
    if (!event) return;
    const after = await handle(trx, [{ event, recordedAt: new Date(recordedAt) }]);
    // A moment early: whoever hears of it looks again at their next poll.
    after?.();
  });
}
