import type { PutLimit } from "@parley/shared/contracts/billing.ts";
import { fieldError } from "@parley/shared/errors.ts";
import { newId } from "@parley/shared/ids.ts";
import { findAgent } from "../../agents/agents/store.ts";
import type { Database } from "../../database/open.ts";
import { parseDecimal } from "../money.ts";
import { putLimit, type SpendingLimit } from "./store.ts";

/** Throws `AppError` not_found if the agent, campaign or key is not the organization's. */
export async function setLimit(
  database: Database,
  { orgId, limit, at }: { readonly orgId: string; readonly limit: PutLimit; readonly at: Date },
): Promise<SpendingLimit> {
  const { scope, scopeId } = limit;
  if (!(await isOurs(database, { orgId, scope, scopeId })))
    throw fieldError("not_found", "scopeId", `There is no ${scope} ${scopeId} in this organization.`);
  const amount = parseDecimal(limit.amount) ?? 0n;
  return putLimit(database.db, { ...limit, id: newId("lim"), orgId, amount, at });
}

async function isOurs(
  database: Database,
  { orgId, scope, scopeId }: { readonly orgId: string } & Pick<PutLimit, "scope" | "scopeId">,
): Promise<boolean> {
  if (scope === "organization") return true;
  if (scope === "agent") return (await findAgent(database, orgId, scopeId)) !== undefined;
  const named = database.db
    .selectFrom(scope === "campaign" ? "campaigns" : "api_keys")
    .select("id")
    .where("org_id", "=", orgId)
    .where("id", "=", scopeId);
  return (await named.executeTakeFirst()) !== undefined;
}
