import { DEFAULT_PII_POLICY, type PiiPolicy, piiPolicySchema } from "@parley/shared/contracts/pii.ts";
import type { Database } from "../../database/open.ts";

/** What an organization masks; the platform's default until the organization sets a policy. */
export async function selectPiiPolicy({ db }: Pick<Database, "db">, orgId: string): Promise<PiiPolicy> {
  const row = await db
    .selectFrom("organizations")
    .select("pii_policy")
    .where("id", "=", orgId)
    .executeTakeFirst();
  return row?.pii_policy ? piiPolicySchema.parse(row.pii_policy) : DEFAULT_PII_POLICY;
}

export async function updatePiiPolicy({ db }: Database, orgId: string, policy: PiiPolicy): Promise<void> {
  await db
    .updateTable("organizations")
    .set({ pii_policy: JSON.stringify(policy) })
    .where("id", "=", orgId)
    .execute();
}
