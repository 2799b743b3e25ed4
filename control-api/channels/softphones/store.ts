import type { CallStatus } from "@parley/shared/contracts/call-status.ts";
import type { GoneCall, RingingCall } from "@parley/shared/contracts/softphones.ts";
import type { Kysely } from "kysely";
import type { Database } from "../../database/open.ts";
import type { Tables } from "../../database/tables.ts";
import { WRITERS } from "../../http/access/rules.ts";
import { roleOfActive } from "../../identity/memberships/store.ts";
import { moveCall } from "../../records/call-rows/move-call.ts";

/** The member whose incoming call it is, in one of their organizations. */
export interface Callee {
  readonly orgId: string;
  readonly userId: string;
}

/** A manual call of this organization that has not ended. */
export async function findSoftphoneCall({ db }: Database, orgId: string, sessionId: string) {
  return db
    .selectFrom("calls")
    .select([
      "session_id as sessionId",
      "id as callId",
      "user_id as userId",
      "org_id as orgId",
      "node_id as nodeId",
      "direction",
      "status",
      "from_number as fromNumber",
      "to_number as toNumber",
    ])
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .where("channel", "=", "softphone")
    .where("ended_at", "is", null)
    .executeTakeFirst();
}
export type SoftphoneCall = NonNullable<Awaited<ReturnType<typeof findSoftphoneCall>>>;

/** Returns true to exactly one of those who answer or decline a ringing call. */
export function stopRinging(database: Database, sessionId: string): Promise<boolean> {
  return moveCall(database, sessionId, { from: "ringing", event: "is taken" });
}

/** The caller is told that the member declined. */
export async function markDeclined(database: Database, sessionId: string): Promise<void> {
  await moveCall(database, sessionId, { from: "ringing", event: "is declined" });
}

/** Puts a taken call back to ringing. Returns true if nobody was connected and the call is not over. */
export function ringAgain(database: Database, sessionId: string): Promise<boolean> {
  return moveCall(database, sessionId, { from: "taken", event: "rings on" });
}

/** Whether the member may answer, which implies every other right over the call. */
export async function mayAnswer({ db }: Database, callee: Callee): Promise<boolean> {
  const role = await roleOfActive(db, callee);
  return role !== undefined && WRITERS.includes(role);
}

/** Calls ringing for a member now, oldest first. */
export async function listRinging({ db }: Database, { orgId, userId }: Callee): Promise<RingingCall[]> {
  const rows = await db
    .selectFrom("calls")
    .select(["session_id", "id", "from_number", "to_number", "created_at"])
    .where("org_id", "=", orgId)
    .where("user_id", "=", userId)
    .where("channel", "=", "softphone")
    .where("direction", "=", "inbound")
    .where("status", "=", "ringing")
    .where("ended_at", "is", null)
    .orderBy("created_at")
    .execute();
  return rows.map((row) => ({
    sessionId: row.session_id,
    callId: row.id,
    fromNumber: row.from_number ?? "",
    toNumber: row.to_number ?? "",
    at: row.created_at.toISOString(),
  }));
}

/** Why calls no longer ring; omits those that ring again. */
export async function listGone({ db }: Database, sessionIds: readonly string[]): Promise<GoneCall[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .selectFrom("calls")
    .select(["session_id as sessionId", "status", "end_reason as endReason"])
    .where("session_id", "in", sessionIds)
    .where((where) => where.or([where("status", "!=", "ringing"), where("ended_at", "is not", null)]))
    .execute();
  return rows.map(({ sessionId, status, endReason }) => ({ sessionId, reason: reasonOf(status, endReason) }));
}

function reasonOf(status: CallStatus, endReason: string | null): GoneCall["reason"] {
  if (status === "in-progress" || status === "completed") return "answered";
  if (status === "busy") return "declined";
  return endReason === "no_answer" ? "timed_out" : "hung_up";
}

/** The member an inbound softphone call was for. */
export async function findCallees(trx: Kysely<Tables>, sessionIds: readonly string[]): Promise<Callee[]> {
  return trx
    .selectFrom("calls")
    .select(["org_id as orgId", "user_id as userId"])
    .where("session_id", "in", [...sessionIds])
    .where("channel", "=", "softphone")
    .where("direction", "=", "inbound")
    .execute();
}
