import type { ChangeRetention } from "@parley/shared/contracts/retention.ts";
import type { Database } from "../../database/open.ts";

/** An organization's retention setting; null if it has none. */
export interface StoredRetention {
  readonly recordingRetentionDays: number | null;
  readonly legalHold: boolean;
}

const COLUMNS = ["recording_retention_days as recordingRetentionDays", "legal_hold as legalHold"] as const;

export async function selectRetention({ db }: Database, orgId: string): Promise<StoredRetention | undefined> {
  return db.selectFrom("organizations").select(COLUMNS).where("id", "=", orgId).executeTakeFirst();
}

/** Returns the previous and the new setting; waits for a running deletion to finish. */
export async function updateRetention(
  { db }: Database,
  orgId: string,
  { recordingRetentionDays, legalHold }: ChangeRetention,
): Promise<{ before: StoredRetention; after: StoredRetention } | undefined> {
  return db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom("organizations")
      .select(COLUMNS)
      .where("id", "=", orgId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!before) return undefined;
    const after = {
      recordingRetentionDays:
        recordingRetentionDays === undefined ? before.recordingRetentionDays : recordingRetentionDays,
      legalHold: legalHold ?? before.legalHold,
    };
    await trx
      .updateTable("organizations")
      .set({ recording_retention_days: after.recordingRetentionDays, legal_hold: after.legalHold })
      .where("id", "=", orgId)
      .execute();
    return { before, after };
  });
}
