import type { SpendingLimitShown } from "@parley/shared/contracts/billing.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { toDecimal } from "../money.ts";
import { readSpent, type SpendingLimit } from "./store.ts";

/** A limit together with the spending against it. */
export async function toShown(
  db: Kysely<Tables>,
  orgId: string,
  { limit, now }: { readonly limit: SpendingLimit; readonly now: Date },
): Promise<SpendingLimitShown> {
  const { spent } = await readSpent(db, orgId, limit, now);
  const { id, scope, scopeId, period, kind, amount } = limit;
  return { id, scope, scopeId, period, kind, amount: toDecimal(amount), spent: toDecimal(spent) };
}
