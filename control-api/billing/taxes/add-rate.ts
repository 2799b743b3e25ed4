import { AppError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import type { Database } from "../../database/open.ts";
import { millionthsOf } from "../money.ts";

/** A new tax rate, as an operator writes it. */
export interface NewRate {
  readonly country: string;
  readonly name: string;
  /** At most four decimals. */
  readonly percent: string;
  /** RFC 3339; defaults to now and is never earlier, since invoices keep the tax of their day. */
  readonly from?: string | undefined;
}

const ALL = 1_000_000n;

/** Throws `AppError` validation_failed, conflict. */
export async function addRate({ db }: Pick<Database, "db">, rate: NewRate, now: Date): Promise<void> {
  const { country, name } = rate;
  const millionths = millionthsOf(rate.percent);
  const from = rate.from === undefined ? now : new Date(rate.from);
  assert(/^[A-Z]{2}$/.test(country), "The country must be two capital letters, such as DE.");
  assert(millionths !== undefined, "The rate must be a percentage with at most four decimals, such as 19.");
  assert(millionths <= ALL, "The rate must be 100 percent at most.");
  assert(from >= now, "A rate begins now or later, not in the past.");
  const inserted = await db
    .insertInto("tax_rates")
    .values({ id: newId("tax"), country, name, millionths, from_at: from, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!inserted) throw new AppError("conflict", "A rate already starts at that time. Choose another time.");
}

function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AppError("validation_failed", message);
}
