import { type CallState, stateOf } from "@parley/shared/contracts/call-status.ts";
import type { CarrierName } from "@parley/shared/contracts/telephony.ts";
import type { Database } from "../../database/open.ts";

/** The phone leg of a call. */
export interface PhoneLeg {
  readonly sessionId: string;
  readonly orgId: string;
  /** Null for a manual call. */
  readonly agentId: string | null;
  readonly state: CallState;
  readonly carrier: CarrierName;
  readonly callSid: string | null;
  readonly fromNumber: string;
  readonly toNumber: string;
  readonly direction: string;
  /** The organization's number on this leg. */
  readonly ourNumber: string;
  readonly answeredBy: string | null;
  readonly machineDetection: string | null;
  readonly machineState: string;
  readonly startedAt: Date | null;
}

/** Returns undefined for a session without a phone leg. */
export async function findLeg(database: Database, sessionId: string): Promise<PhoneLeg | undefined> {
  return (await findLegs(database, [sessionId]))[0];
}

/** The phone legs of those sessions that have one. */
export async function findLegs({ db }: Database, sessionIds: readonly string[]): Promise<PhoneLeg[]> {
  const rows = await db
    .selectFrom("calls")
    .selectAll()
    .where("session_id", "in", [...sessionIds])
    .where("carrier", "is not", null)
    .execute();
  return rows.map((row) => ({
    sessionId: row.session_id,
    orgId: row.org_id,
    agentId: row.agent_id,
    state: stateOf({ status: row.status, startedAt: row.started_at }),
    carrier: row.carrier as CarrierName,
    callSid: row.call_sid,
    fromNumber: row.from_number ?? "",
    toNumber: row.to_number ?? "",
    direction: row.direction,
    ourNumber: (row.direction === "inbound" ? row.to_number : row.from_number) ?? "",
    answeredBy: row.answered_by,
    machineDetection: row.machine_detection,
    machineState: row.machine_state,
    startedAt: row.started_at,
  }));
}
