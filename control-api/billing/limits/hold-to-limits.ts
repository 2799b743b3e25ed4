import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { CURRENCY, toDecimal } from "../money.ts";
import { nextPeriod, periodStart } from "./periods.ts";
import { listLimits, markWarned, readSpent, type SpendingLimit } from "./store.ts";

export interface Spending {
  readonly orgId: string;
  /** Empty without an agent; `keyId` and `campaignId` likewise. */
  readonly agentId: string;
  readonly keyId: string;
  readonly campaignId: string;
  /** What the new call is expected to cost, in micros. */
  readonly estimate: bigint;
  /** What was admitted and is neither spent nor a call that goes on, in micros, by scope. */
  readonly ahead?: Readonly<Partial<Record<SpendingLimit["scope"], bigint>>>;
  readonly now: Date;
}

/**
 * Refuses a call that exceeds a hard limit. Returns the exceeded soft limits not yet warned of in this period, and
 * marks them as warned in `trx`. Throws `AppError` spending_limit_reached.
 */
export async function holdToLimits(trx: Kysely<Tables>, call: Spending): Promise<SpendingLimit[]> {
  const { orgId, estimate, ahead = {}, now } = call;
  const exceeded: SpendingLimit[] = [];
  for (const limit of (await listLimits(trx, orgId)).filter((one) => isAbout(one, call))) {
    const { spent, expected } = await readSpent(trx, orgId, limit, now);
    const before = spent + expected + (ahead[limit.scope] ?? 0n);
    if (before < limit.amount && before + estimate <= limit.amount) continue;
    if (limit.kind === "hard") throw reached(limit, { spent, now });
    exceeded.push(limit);
  }
  // Only now: whoever catches the refusal and commits would lose the warning.
  const crossed: SpendingLimit[] = [];
  for (const limit of exceeded)
    if (await markWarned(trx, limit.id, periodStart(limit.period, now))) crossed.push(limit);
  return crossed;
}

function isAbout({ scope, scopeId }: SpendingLimit, { agentId, keyId, campaignId }: Spending): boolean {
  const ids = { organization: "", agent: agentId, campaign: campaignId, key: keyId };
  return scopeId === ids[scope];
}

function reached(limit: SpendingLimit, { spent, now }: { spent: bigint; now: Date }): AppError {
  const resetsAt = nextPeriod(limit.period, now).toISOString();
  const amount = `${toDecimal(limit.amount)} ${CURRENCY}`;
  const message = `The ${limit.scope}'s spending limit of ${amount} a ${limit.period} is reached, counting what is in progress. Raise it, or wait until ${resetsAt}.`;
  return new AppError("spending_limit_reached", message, {
    details: { limitId: limit.id, spent: toDecimal(spent), limit: toDecimal(limit.amount), resetsAt },
  });
}
