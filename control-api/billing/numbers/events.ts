import { toTimestamp } from "@parley/shared/clock.ts";
import { dayOf, daysSince } from "../lifecycle/days.ts";
import type { NumberEvent, NumberFacts } from "../lifecycle/number-states.ts";
import { TERMS } from "../lifecycle/terms.ts";
import { toDecimal } from "../money.ts";
import type { BillingEvent } from "../telling/billing-event.ts";

interface About {
  readonly e164: string;
  readonly rent: bigint;
  /** What the balance lacks; null if it suffices. */
  readonly shortfall: bigint | null;
  readonly facts: NumberFacts;
}

/** The event about a number (docs/webhooks.md#the-events). */
export function eventOf(event: NumberEvent, { e164, rent, shortfall, facts }: About): BillingEvent {
  const rentUsd = toDecimal(rent);
  const { graceDays, afterSuspendDays } = TERMS;
  switch (event) {
    case "billing.number_renewal_due":
      return {
        event,
        e164,
        renewsAt: toTimestamp(facts.renewsAt.getTime()),
        rentUsd,
        shortfallUsd: shortfall === null ? null : toDecimal(shortfall),
        atRisk: shortfall !== null,
      };
    case "billing.number_renewed":
      return { event, e164, rentUsd, period: dayOf(facts.renewsAt) };
    case "billing.number_renewal_failed":
      return { event, e164, rentUsd, graceDays };
    case "billing.number_release_pending":
      return { event, e164, reason: "postpaid_suspended", afterSuspendDays };
    case "billing.number_released_nonpayment":
      return releasedEvent(e164, facts);
    default:
      return event satisfies never;
  }
}

function releasedEvent(e164: string, { suspendedAt, overdueAt, now }: NumberFacts): BillingEvent {
  const event = "billing.number_released_nonpayment";
  const { graceDays, afterSuspendDays } = TERMS;
  if (suspendedAt !== null) {
    const daysSuspended = daysSince(suspendedAt, now);
    return { event, e164, reason: "postpaid_suspended", daysSuspended, afterSuspendDays };
  }
  return {
    event,
    e164,
    reason: "renewal_unpaid",
    overdueDays: daysSince(overdueAt ?? now, now),
    graceDays,
  };
}
