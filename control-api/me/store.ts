import type { Database } from "@parley/shared/database/open.ts";

export async function describeKey({ db }: Database, keyId: string) {
  const row = await db
    .selectFrom("api_keys")
    .innerJoin("organizations", "organizations.id", "api_keys.org_id")
    .select([
      "organizations.id as orgId",
      "organizations.name as orgName",
      "api_keys.name as name",
      "api_keys.role as role",
      "api_keys.last_four as lastFour",
    ])
    .where("api_keys.id", "=", keyId)
    .executeTakeFirst();
  if (!row) return undefined;
  const { orgId, orgName, name, role, lastFour } = row;
  return { organization: { id: orgId, name: orgName }, key: { id: keyId, name, role, lastFour } };
}
