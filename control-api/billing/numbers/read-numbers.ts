import type { BilledNumberShown } from "@parley/shared/contracts/billing.ts";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { renewalOf } from "../lifecycle/number-states.ts";
import { amountOf, toDecimal } from "../money.ts";
import { choosePrice } from "../prices/choose-price.ts";
import { readPrices } from "../prices/store.ts";
import { listBilledNumbers } from "./store.ts";

/** An organization's numbers, with renewal dates and costs. */
export async function readNumbers(db: Kysely<Tables>, orgId: string): Promise<BilledNumberShown[]> {
  const prices = await readPrices(db, [orgId]);
  return (await listBilledNumbers(db, orgId)).flatMap((number) => {
    const { numberId: id, e164, carrier, state } = number;
    if (state === "released") return [];
    const renewsAt = renewalOf(number);
    const price = choosePrice(prices, { orgId, metric: "number_months", vendor: carrier, at: renewsAt });
    const rent = price ? amountOf(1n, price) : 0n;
    const shown = rent > 0n ? toDecimal(rent) : null;
    return { id, number: e164, state, renewsAt: renewsAt.toISOString(), rent: shown };
  });
}
