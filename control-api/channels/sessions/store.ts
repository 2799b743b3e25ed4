import type { CallPlan, ManualPlan } from "@parley/shared/contracts/call-plan.ts";
import type { FirstStatus } from "@parley/shared/contracts/call-status.ts";
import { AppError } from "@parley/shared/errors.ts";
import { callVariables } from "../../agents/agents/call-variables.ts";
import type { Database } from "../../database/open.ts";
import { insertCallRow, type NewCallRow } from "../../records/call-rows/insert-call.ts";
import type { MachineDetection } from "../carriers/carrier.ts";
import type { AdmitCall } from "./admission.ts";

/** How a call originates. */
export interface Leg {
  readonly channel: string;
  readonly direction: string;
  readonly fromNumber?: string;
  readonly toNumber?: string;
  readonly carrier?: string;
  readonly callSid?: string;
  readonly machineDetection?: MachineDetection | undefined;
  /** Defaults to `queued`. */
  readonly status?: FirstStatus;
}

/** A manual call has no agent, and the variables that every call has. */
function withoutAgent({ createdAt }: ManualPlan) {
  const variables = callVariables({ variables: {} }, Date.parse(createdAt));
  return { agentId: null, identifier: null, variables };
}

/** Who requested a call, and its agent's version. */
export interface AskedBy {
  readonly agentVersion?: number;
  /** The API key, if one requested it. */
  readonly keyId?: string | undefined;
  /** The campaign that places the call. */
  readonly campaignId?: string | undefined;
  /** A stranger called, from the agent's public page. */
  readonly isVisitors?: boolean;
}

/** Throws `AppError` conflict if the carrier's leg already has a call; and what `admitCall` throws. */
export async function insertCall(
  plan: CallPlan | ManualPlan,
  leg: Leg & AskedBy,
  { database: { db }, admitCall }: { readonly database: Database; readonly admitCall: AdmitCall },
): Promise<void> {
  const { sessionId, orgId } = plan;
  await db.transaction().execute(async (trx) => {
    if (!(await insertCallRow(trx, rowOf(plan, leg))))
      throw new AppError("conflict", "This phone leg already has a call.");
    const { channel, carrier, keyId, campaignId, direction, toNumber } = leg;
    const agentId = plan.mode === "agent" ? plan.agentId : null;
    await admitCall(trx, {
      sessionId,
      orgId,
      agentId,
      keyId,
      campaignId,
      channel,
      carrier,
      dials: direction === "outbound" ? toNumber : undefined,
      at: new Date(plan.createdAt),
    });
  });
}

function rowOf(plan: CallPlan | ManualPlan, { agentVersion, isVisitors, ...leg }: Leg & AskedBy): NewCallRow {
  const talk = plan.mode === "agent" ? plan : withoutAgent(plan);
  return {
    id: plan.callId,
    session_id: plan.sessionId,
    org_id: plan.orgId,
    agent_id: talk.agentId,
    agent_version: agentVersion ?? null,
    user_id: plan.userId,
    identifier: talk.identifier,
    variables: JSON.stringify(talk.variables),
    node_id: plan.nodeId,
    channel: leg.channel,
    direction: leg.direction,
    from_number: leg.fromNumber ?? null,
    to_number: leg.toNumber ?? null,
    carrier: leg.carrier ?? null,
    call_sid: leg.callSid ?? null,
    machine_detection: leg.machineDetection ?? null,
    ...(leg.status ? { status: leg.status } : {}),
    ...(isVisitors ? { is_visitors: true } : {}),
    created_at: plan.createdAt,
  };
}

/** A session of this organization that has not ended. */
export async function findOpenSession({ db }: Database, orgId: string, sessionId: string) {
  return db
    .selectFrom("calls")
    .select(["session_id as sessionId", "status", "channel", "node_id as nodeId", "started_at as startedAt"])
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

/** What is known of this organization's phone call that was placed, or intended. */
export async function findPlaced({ db }: Database, orgId: string, sessionId: string) {
  return db
    .selectFrom("calls")
    .select([
      "id as callId",
      "call_sid as callSid",
      "status",
      "node_id as nodeId",
      "from_number as fromNumber",
      "to_number as toNumber",
      "ended_at as endedAt",
    ])
    .where("org_id", "=", orgId)
    .where("session_id", "=", sessionId)
    .executeTakeFirst();
}
