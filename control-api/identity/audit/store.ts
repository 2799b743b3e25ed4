import type { Insertable } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";

export async function insertAuditEvent(
  { db }: Pick<Database, "db">,
  event: Insertable<Tables["audit_events"]>,
): Promise<void> {
  await db.insertInto("audit_events").values(event).execute();
}

export interface AuditQuery {
  readonly limit: number;
  readonly before?: string | undefined;
  readonly action?: string | undefined;
  readonly userId?: string | undefined;
}

/** Events of the organization and of its current members' credentials; newest first. */
export async function listAuditEvents(
  { db }: Database,
  orgId: string,
  { limit, before, action, userId }: AuditQuery,
) {
  return db
    .selectFrom("audit_events")
    .selectAll()
    .where(({ or, and, eb }) =>
      or([
        eb("org_id", "=", orgId),
        and([
          eb("org_id", "is", null),
          eb(
            "user_id",
            "in",
            eb
              .selectFrom("memberships")
              .select("memberships.user_id")
              .where("memberships.org_id", "=", orgId),
          ),
        ]),
      ]),
    )
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .$if(action !== undefined, (query) => query.where("action", "=", action ?? ""))
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
