import { type Kysely, sql } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Db = Kysely<Tables>;

export interface TaxRate {
  readonly country: string;
  /** As shown on invoices, such as VAT. */
  readonly name: string;
  readonly millionths: bigint;
  readonly from: Date;
}

/** Who is billed. */
export interface BillingProfile {
  readonly legalName: string;
  readonly address: string;
  readonly country: string;
  readonly taxId: string;
  /** An operator declared that no tax is due. */
  readonly isExempt: boolean;
}

export async function listRates(db: Db): Promise<TaxRate[]> {
  const rows = await db
    .selectFrom("tax_rates")
    .select(["country", "name", "millionths", "from_at as from"])
    .orderBy("country")
    .orderBy("from_at")
    .execute();
  return rows.map((row) => ({ ...row, millionths: BigInt(row.millionths) }));
}

export async function findProfile(db: Db, orgId: string): Promise<BillingProfile | undefined> {
  return db
    .selectFrom("billing_profiles")
    .select(["legal_name as legalName", "address", "country", "tax_id as taxId", "is_exempt as isExempt"])
    .where("org_id", "=", orgId)
    .executeTakeFirst();
}

/** Leaves the operator's tax exemption untouched. */
export async function putProfile(
  db: Db,
  orgId: string,
  { legalName, address, country, taxId }: Omit<BillingProfile, "isExempt">,
): Promise<void> {
  const profile = { legal_name: legalName, address, country, tax_id: taxId };
  await db
    .insertInto("billing_profiles")
    .values({ org_id: orgId, ...profile })
    .onConflict((conflict) => conflict.column("org_id").doUpdateSet(profile))
    .execute();
}

/** Returns false if there is no profile yet. */
export async function setExempt(db: Db, orgId: string, isExempt: boolean): Promise<boolean> {
  const profiles = db.updateTable("billing_profiles").set({ is_exempt: isExempt });
  const set = await profiles.where("org_id", "=", orgId).returning("org_id").executeTakeFirst();
  return set !== undefined;
}

export interface TaxDue {
  readonly name: string;
  readonly millionths: bigint;
}

/** The tax of an organization's country at that moment; none if the country is unknown or has no rate. */
export async function findTax(db: Db, orgId: string, at: Date): Promise<TaxDue> {
  const { rows } = await sql<{ name: string; millionths: string }>`
    select name, millionths::text as millionths from billing_profiles
    join tax_rates on tax_rates.country = billing_profiles.country and from_at <= ${at}
    where org_id = ${orgId} and not is_exempt
    order by from_at desc limit 1`.execute(db);
  const [rate] = rows;
  return rate ? { name: rate.name, millionths: BigInt(rate.millionths) } : { name: "", millionths: 0n };
}
