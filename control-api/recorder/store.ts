import type { Database } from "@parley/shared/database/open.ts";

export interface OpenCall {
  readonly sessionId: string;
  readonly orgId: string;
  readonly nodeId: string;
}

const MAX_SWEPT = 1_000;

/** Calls that some node should be holding. */
export async function findLiveCalls({ db }: Database): Promise<OpenCall[]> {
  return db
    .selectFrom("calls")
    .select(["session_id as sessionId", "org_id as orgId", "node_id as nodeId"])
    .where("status", "=", "in-progress")
    .where("ended_at", "is", null)
    .execute();
}

/** Sessions made before `createdBefore` whose caller never came. */
export async function findUnconnectedCalls({ db }: Database, createdBefore: Date): Promise<OpenCall[]> {
  return db
    .selectFrom("calls")
    .select(["session_id as sessionId", "org_id as orgId", "node_id as nodeId"])
    .where("status", "=", "queued")
    .where("ended_at", "is", null)
    .where("created_at", "<", createdBefore)
    .limit(MAX_SWEPT)
    .execute();
}
