import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";

type Trx = Kysely<Tables>;

export interface BilledCall {
  readonly sessionId: string;
  readonly orgId: string;
  readonly keyId: string;
  /** Empty for calls of no campaign. */
  readonly campaignId: string;
  /** What is left of the hold, in micros. */
  readonly held: bigint;
}

export interface NewBilledCall {
  readonly sessionId: string;
  readonly orgId: string;
  readonly agentId: string;
  readonly keyId: string;
  /** Empty for calls of no campaign. */
  readonly campaignId: string;
  readonly estimate: bigint;
  readonly held: bigint;
  readonly at: Date;
}

export async function insertBilledCall(trx: Trx, call: NewBilledCall): Promise<void> {
  await trx
    .insertInto("billed_calls")
    .values({
      session_id: call.sessionId,
      org_id: call.orgId,
      agent_id: call.agentId,
      key_id: call.keyId,
      campaign_id: call.campaignId,
      estimate: call.estimate,
      held: call.held,
      settled_at: null,
      created_at: call.at,
    })
    .execute();
}

/** By session; calls begun by an earlier version are missing. */
export async function readBilledCalls(
  trx: Trx,
  sessionIds: readonly string[],
): Promise<Map<string, BilledCall>> {
  const rows = await trx
    .selectFrom("billed_calls")
    .select([
      "session_id as sessionId",
      "org_id as orgId",
      "key_id as keyId",
      "campaign_id as campaignId",
      "held",
    ])
    .where("session_id", "in", [...new Set(sessionIds)])
    .execute();
  return new Map(rows.map((row) => [row.sessionId, { ...row, held: BigInt(row.held) }]));
}

export async function setHeld(trx: Trx, sessionId: string, held: bigint): Promise<void> {
  await trx.updateTable("billed_calls").set({ held }).where("session_id", "=", sessionId).execute();
}

/** Marks the call as over, with nothing held. */
export async function settleCall(trx: Trx, sessionId: string, at: Date): Promise<void> {
  await trx
    .updateTable("billed_calls")
    .set({ held: 0n, settled_at: at })
    .where("session_id", "=", sessionId)
    .where("settled_at", "is", null)
    .execute();
}

/** Calls that came to nothing: missing, or over long ago. */
export async function findForgotten(
  db: Trx,
  endedBefore: Date,
): Promise<{ sessionId: string; orgId: string }[]> {
  return db
    .selectFrom("billed_calls")
    .leftJoin("calls", "calls.session_id", "billed_calls.session_id")
    .select(["billed_calls.session_id as sessionId", "billed_calls.org_id as orgId"])
    .where("billed_calls.settled_at", "is", null)
    .where("billed_calls.created_at", "<", endedBefore)
    .where((eb) => eb.or([eb("calls.session_id", "is", null), eb("calls.ended_at", "<", endedBefore)]))
    .orderBy("billed_calls.session_id")
    .limit(500)
    .execute();
}
