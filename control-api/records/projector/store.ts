import type { CallStatus } from "@parley/shared/contracts/call-status.ts";
import { TEXT_CHANNELS } from "@parley/shared/contracts/text-channels.ts";
import type { Database } from "../../database/open.ts";

export interface OpenCall {
  readonly sessionId: string;
  readonly orgId: string;
  readonly status: CallStatus;
  readonly startedAt: Date | null;
}

const OPEN_CALL = [
  "session_id as sessionId",
  "org_id as orgId",
  "status",
  "started_at as startedAt",
] as const;
const MAX_SWEPT = 1_000;

/** Nodes that should be holding calls. */
export async function findNodesWithCalls({ db }: Database): Promise<string[]> {
  const rows = await db
    .selectFrom("calls")
    .select("node_id")
    .distinct()
    .where("status", "=", "in-progress")
    .where("channel", "not in", TEXT_CHANNELS)
    .where("ended_at", "is", null)
    .execute();
  return rows.map(({ node_id }) => node_id);
}

/** Calls that a node should be holding. */
export async function findCallsOf({ db }: Database, nodeId: string): Promise<OpenCall[]> {
  return db
    .selectFrom("calls")
    .select(OPEN_CALL)
    .where("status", "=", "in-progress")
    .where("channel", "not in", TEXT_CHANNELS)
    .where("ended_at", "is", null)
    .where("node_id", "=", nodeId)
    .execute();
}

/** Sessions made before `createdBefore` whose caller never came; nothing rings that long. */
export async function findUnconnectedCalls({ db }: Database, createdBefore: Date): Promise<OpenCall[]> {
  return (
    db
      .selectFrom("calls")
      .select(OPEN_CALL)
      // The last two cover a member answering or declining before the caller's audio was there.
      .where("status", "in", ["queued", "ringing", "in-progress", "busy"])
      .where("started_at", "is", null)
      .where("channel", "not in", TEXT_CHANNELS)
      .where("ended_at", "is", null)
      .where("created_at", "<", createdBefore)
      .limit(MAX_SWEPT)
      .execute()
  );
}
