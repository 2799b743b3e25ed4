import { addDays, addMonths, daysSince } from "./days.ts";
import { TERMS } from "./terms.ts";

export type NumberState = "active" | "noticed" | "overdue" | "release_pending" | "released";

/** What the rules know of a number, its rent and its payer. */
export interface NumberFacts {
  readonly now: Date;
  readonly renewsAt: Date;
  /** When the failed renewal was announced; null unless `overdue`. */
  readonly overdueAt: Date | null;
  /** When the organization was suspended; null if it is not. */
  readonly suspendedAt: Date | null;
  /** Whether the rent can be charged. */
  readonly isCovered: boolean;
}

export type NumberEvent =
  | "billing.number_renewal_due"
  | "billing.number_renewed"
  | "billing.number_renewal_failed"
  | "billing.number_release_pending"
  | "billing.number_released_nonpayment";

export interface NumberRule {
  readonly from: readonly NumberState[];
  readonly applies: (facts: NumberFacts) => boolean;
  readonly to: NumberState;
  /** Charges the rent and moves the next renewal by a month. */
  readonly renews?: true;
  readonly tells?: NumberEvent;
}

const isDue = ({ now, renewsAt }: NumberFacts): boolean => now >= renewsAt;
const isNear = ({ now, renewsAt }: NumberFacts): boolean => now >= addDays(renewsAt, -TERMS.noticeDays);

/** All automatic transitions of a number. The first rule that applies is taken, then the rules are checked again. */
const NUMBER_RULES: readonly NumberRule[] = [
  {
    from: ["active", "noticed", "overdue"],
    applies: ({ suspendedAt }) => suspendedAt !== null,
    to: "release_pending",
    tells: "billing.number_release_pending",
  },
  { from: ["release_pending"], applies: ({ suspendedAt }) => suspendedAt === null, to: "active" },
  {
    from: ["release_pending"],
    applies: ({ suspendedAt, now }) =>
      suspendedAt !== null && daysSince(suspendedAt, now) >= TERMS.afterSuspendDays,
    to: "released",
    tells: "billing.number_released_nonpayment",
  },
  {
    from: ["active", "noticed", "overdue"],
    applies: (facts) => isDue(facts) && facts.isCovered,
    to: "active",
    renews: true,
    tells: "billing.number_renewed",
  },
  {
    from: ["active", "noticed"],
    applies: (facts) => isDue(facts) && !facts.isCovered,
    to: "overdue",
    tells: "billing.number_renewal_failed",
  },
  {
    from: ["overdue"],
    applies: ({ overdueAt, now }) => overdueAt !== null && daysSince(overdueAt, now) >= TERMS.graceDays,
    to: "released",
    tells: "billing.number_released_nonpayment",
  },
  { from: ["active"], applies: isNear, to: "noticed", tells: "billing.number_renewal_due" },
];

/** The next step of a number, if any. */
export function nextNumberStep(state: NumberState, facts: NumberFacts): NumberRule | undefined {
  return NUMBER_RULES.find((rule) => rule.from.includes(state) && rule.applies(facts));
}

/** The anniversary after that many renewals. The month in which a number is added is free. */
export function renewalOf({ addedAt, renewals }: { addedAt: Date; renewals: number }): Date {
  return addMonths(addedAt, renewals + 1);
}
