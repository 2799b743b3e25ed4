import type { CallEvent } from "@parley/shared/contracts/call-events.ts";
import { stateOf, statusOf } from "@parley/shared/contracts/call-status.ts";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";
import { AppError, messageOf } from "@parley/shared/errors.ts";
import type { Logger } from "@parley/shared/log.ts";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { handles, type JobHandler, type JobKind } from "../../jobs/job-kind.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import { readRecorded } from "../../subscriptions/store.ts";
import type { Subscription } from "../../subscriptions/subscription.ts";
import type { PhoneCalls } from "./phone-calls.ts";

/** What follows at the carrier from what is recorded of a phone call. */

/** Carriers take up to seconds to answer, and many calls may end at once. */
const SIDE_BY_SIDE = 32;
const FIRST_RETRY_MS = 1_000;

/** The end of a call, or its agent's wish to transfer the caller: the carrier is asked for what follows. */
const FOLLOW_CALL: JobKind<{ readonly eventId: string }> = {
  name: "follow_phone_call",
  payload: z.object({ eventId: z.string() }),
};

interface FollowDeps {
  readonly queue: Pick<JobQueue, "add" | "announce">;
  readonly phoneCalls: Pick<PhoneCalls, "count">;
}

/** Queues a job for each call that ends or has to be transferred. */
export function followsPhoneCalls({ queue, phoneCalls }: FollowDeps): Subscription {
  return {
    name: "phone_calls",
    types: ["call.ended", "call.transfer_requested"],
    handle: async (trx, recorded) => {
      const events = recorded.map(({ event }) => event);
      const legs = await findLegs(
        trx,
        events.map(({ sessionId }) => sessionId),
      );
      // A call without a phone has its agent told that nobody can be transferred.
      const due = events.filter(
        ({ type, sessionId }) =>
          type === "call.transfer_requested" || (type === "call.ended" && legs.has(sessionId)),
      );
      for (const { id, orgId } of due) await queue.add(trx, FOLLOW_CALL, { payload: { eventId: id }, orgId });
      return () => {
        if (due.length > 0) queue.announce();
        for (const event of events) count(event, legs.get(event.sessionId), phoneCalls);
      };
    },
  };
}

interface Leg {
  readonly carrier: CarrierName;
  readonly outcome: string;
}

function count(event: CallEvent, leg: Leg | undefined, phoneCalls: FollowDeps["phoneCalls"]): void {
  if (leg && event.type === "call.ended")
    phoneCalls.count(leg.carrier, event.reason === "transferred" ? event.reason : leg.outcome);
}

async function findLegs(trx: Kysely<Tables>, sessionIds: readonly string[]): Promise<Map<string, Leg>> {
  const rows = await trx
    .selectFrom("calls")
    .select(["session_id", "carrier", "status", "started_at"])
    .where("session_id", "in", [...new Set(sessionIds)])
    .where("carrier", "is not", null)
    .execute();
  return new Map(
    rows.map(({ session_id, carrier, status, started_at }) => [
      session_id,
      {
        carrier: carrier as CarrierName,
        outcome: statusOf(stateOf({ status, startedAt: started_at })),
      },
    ]),
  );
}

interface FollowingDeps {
  readonly database: Database;
  readonly phoneCalls: Pick<PhoneCalls, "over" | "transferAsAsked">;
  readonly log: Logger;
}

/** Asks the carrier for what follows from an event, again if it did not answer. */
export function followsCall({ database, phoneCalls, log }: FollowingDeps): JobHandler {
  return handles(
    FOLLOW_CALL,
    async ({ payload: { eventId } }) => {
      const event = await readRecorded(database.db, eventId);
      if (event?.type === "call.transfer_requested") await phoneCalls.transferAsAsked(event);
      if (event?.type !== "call.ended") return;
      const { sessionId } = event;
      await phoneCalls.over(event).catch((error: unknown) => {
        log.warn(
          { event: "leg_hangup_failed", sessionId, err: messageOf(error) },
          "failed to hang up the phone leg of an ended call",
        );
        // Anything else is the carrier's last word.
        if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      });
    },
    { sideBySide: SIDE_BY_SIDE, firstRetryMs: FIRST_RETRY_MS, isUrgent: true },
  );
}
