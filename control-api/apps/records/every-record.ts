import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { StoredRecord } from "./list.ts";

/** The types of records an app keeps in an organization. */
export function typesOf(
  db: Kysely<Tables>,
  { orgId, appId }: { readonly orgId: string; readonly appId: string },
): Promise<{ readonly id: number; readonly type: string }[]> {
  return db
    .selectFrom("app_stores")
    .select(["id", "object_type as type"])
    .where("org_id", "=", orgId)
    .where("app_id", "=", appId)
    .where("removed_at", "is", null)
    .orderBy("object_type")
    .execute();
}

/** Records, oldest first. */
export function recordsAfter(
  db: Kysely<Tables>,
  { storeId, after, limit }: { readonly storeId: number; readonly after: string; readonly limit: number },
): Promise<StoredRecord[]> {
  return db
    .selectFrom("app_records")
    .select(["seq", "id", "data", "created_at", "updated_at"])
    .where("store_id", "=", storeId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}
