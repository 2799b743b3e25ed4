import { AppError } from "@parley/shared/errors.ts";
import type { Database } from "../../database/open.ts";
import { settle } from "./settle.ts";
import { findPayment } from "./store.ts";

/** Records an announced bank transfer. Returns false if it was already recorded. Throws `AppError` not_found. */
export async function recordTransfer(
  { db }: Pick<Database, "db">,
  { paymentId, at }: { readonly paymentId: string; readonly at: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const payment = await findPayment(trx, { id: paymentId });
    if (payment?.provider !== "manual")
      throw new AppError("not_found", `There is no announced transfer ${paymentId}.`);
    if (payment.state === "succeeded") return false;
    const { amount } = payment;
    return settle(trx, { kind: "paid", paymentId, amount, intentId: null, methodId: null }, at);
  });
}
