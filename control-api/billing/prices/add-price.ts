import { USAGE_METRICS } from "@parley/shared/contracts/billing.ts";
import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";
import { parseDecimal } from "../money.ts";

/** A new price list entry, as an operator writes it. */
export interface NewPrice {
  readonly metric: string;
  /** US dollars per `per` units, at most six decimals. */
  readonly amount: string;
  readonly per?: string | undefined;
  readonly vendor?: string | undefined;
  readonly orgId?: string | undefined;
  /** RFC 3339; defaults to now and is never earlier, since past usage keeps its price. */
  readonly from?: string | undefined;
}

const PER = /^[1-9]\d{0,8}$/;

/** Throws `AppError` validation_failed, which says what to change; conflict if a price from that moment on exists. */
export async function addPrice({ db }: Pick<Database, "db">, price: NewPrice, now: Date): Promise<string> {
  const { metric, vendor = "", orgId = "", per = "1" } = price;
  const micros = parseDecimal(price.amount);
  const from = price.from === undefined ? now : new Date(price.from);
  assert(
    USAGE_METRICS.some((known) => known === metric),
    `The metric must be one of ${USAGE_METRICS.join(", ")}.`,
  );
  assert(micros !== undefined, "The amount must be dollars with at most six decimals, such as 0.015.");
  assert(PER.test(per), "per must be a whole number from 1 to 999999999.");
  assert(
    from >= now,
    "A price begins now or later, at a time such as 2027-01-01T00:00:00Z, not in the past.",
  );
  const id = newId("prc");
  const row = { id, org_id: orgId, metric, vendor, micros, per, from_at: from, created_at: now };
  const inserted = await db
    .insertInto("prices")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) throw new AppError("conflict", "A price already starts at that time. Choose another time.");
  return id;
}

function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AppError("validation_failed", message);
}
