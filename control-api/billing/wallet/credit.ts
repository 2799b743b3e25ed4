import { AppError } from "@parley/shared/errors.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { post } from "../ledger/post.ts";
import { lockAccount } from "./account-store.ts";

export interface Credit {
  readonly orgId: string;
  /** In micros, above 0. */
  readonly amount: bigint;
  /** Credited once per source. */
  readonly source: string;
  readonly at: Date;
}

/** Gives an organization credit, once per source. Returns false if already given. Throws `AppError` not_found. */
export async function giveCredit(
  database: Database,
  { orgId, amount, source, at }: Credit,
): Promise<boolean> {
  return database.db.transaction().execute(async (trx) => {
    await assertThere(trx, orgId);
    await lockAccount(trx, orgId, at);
    const entries = { wallet: amount, credits: -amount };
    return post(trx, { orgId, kind: "credit", source: `credit ${source}`, at, entries });
  });
}

/** Throws `AppError` not_found. */
export async function assertThere(trx: Kysely<Tables>, orgId: string): Promise<void> {
  const org = await trx.selectFrom("organizations").select("id").where("id", "=", orgId).executeTakeFirst();
  if (!org) throw new AppError("not_found", `There is no organization ${orgId}.`);
}
