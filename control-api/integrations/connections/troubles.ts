import type { OrgNotice } from "@parley/shared/contracts/notices.ts";
import type { Database } from "../../database/open.ts";
import type { Trouble } from "../../modules/module.ts";

/** Connections that do not work until a person reconnects them. */
export function connectionTroubles({ db }: Database): Trouble {
  return async ({ orgId }) => {
    const failed = await db
      .selectFrom("integration_connections")
      .select(["id", "label", "last_error"])
      .where("org_id", "=", orgId)
      .where("status", "=", "error")
      .orderBy("id", "desc")
      .execute();
    return failed.map(
      ({ id, label, last_error }): OrgNotice => ({
        ...{ kind: "connection_failed", id, label },
        reason: last_error,
      }),
    );
  };
}
