import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

export interface AccountShown {
  readonly orgId: string;
  readonly name: string;
  readonly plan: "prepaid" | "postpaid";
  readonly state: "active" | "suspended";
  readonly wallet: bigint;
  /** Invoiced or not. */
  readonly owed: bigint;
}

export interface AccountQuery {
  /** Part of a name, or an id. */
  readonly search?: string | undefined;
  /** Only ids after this one. */
  readonly after?: string | undefined;
  /** Defaults to all. */
  readonly limit?: number | undefined;
}

/** Organizations' balances, ordered by id, for operators. */
export async function listAccounts(
  db: Kysely<Tables>,
  { search = "", after = "", limit }: AccountQuery,
): Promise<AccountShown[]> {
  const shown = db
    .selectFrom("organizations")
    .select(["id", "name"])
    .where("id", ">", after)
    .$if(search !== "", (query) =>
      query.where(({ or, eb }) =>
        or([eb("id", "=", search), eb(sql`position(lower(${search}) in lower(name))`, ">", 0)]),
      ),
    )
    .orderBy("id")
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0));
  const rows = await db
    .selectFrom(shown.as("organizations"))
    .leftJoin("billing_accounts", "billing_accounts.org_id", "organizations.id")
    .leftJoin("ledger_balances", "ledger_balances.org_id", "organizations.id")
    .select([
      "organizations.id as orgId",
      "organizations.name",
      sql<AccountShown["plan"]>`coalesce(plan, 'prepaid')`.as("plan"),
      sql<AccountShown["state"]>`coalesce(state, 'active')`.as("state"),
      sql<string>`coalesce(sum(balance) filter (where account = 'wallet'), 0)::text`.as("wallet"),
      sql<string>`coalesce(-sum(balance) filter (where account in ('unbilled', 'receivable')), 0)::text`.as(
        "owed",
      ),
    ])
    .groupBy(["organizations.id", "organizations.name", "plan", "state"])
    .orderBy("organizations.id")
    .execute();
  return rows.map((row) => ({ ...row, wallet: BigInt(row.wallet), owed: BigInt(row.owed) }));
}
