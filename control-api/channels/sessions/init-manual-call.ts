import type { InitManualCall, ManualCallPlaced } from "@parley/shared/contracts/telephony.ts";
import type { Caller } from "../../agents/agents/agent-for-call.ts";
import { callSocketUrl } from "../gateways/call-socket-url.ts";
import { assertOurs, manualNumber } from "../numbers/numbers.ts";
import { dialLeg, LEG_TICKET_TTL_SECS, RING_TIMEOUT_SECS } from "./dial-leg.ts";
import type { PhoneSessionDeps, PlacingDeps } from "./initiate-call.ts";
import { prepareManualCall } from "./prepare-manual-call.ts";
import { recoverPlaced, socketAgain } from "./recover-placed.ts";

/** Fallback for a carrier that does not report an unanswered call. */
const ANSWER_WITHIN_MS = (RING_TIMEOUT_SECS + 45) * 1_000;

/**
 * Places a member's softphone call: the carrier rings, and whoever answers is joined to the softphone's socket. Throws
 * `AppError` bad_request (number), not_found (member), no_gateway, and what the carrier throws; the call is then
 * recorded as failed.
 */
export async function initManualCall(
  { to, from, userId }: InitManualCall,
  caller: Caller,
  deps: PlacingDeps,
): Promise<ManualCallPlaced> {
  const { database, tickets, phoneCalls } = deps;
  const { orgId } = caller;
  if (userId !== undefined) await assertOurs(orgId, { userId }, database);
  const member = caller.kind === "member" ? caller.userId : undefined;
  const number = await manualNumber(orgId, { from, userId: member }, database);
  const connected = await phoneCalls.carrierOf(orgId, number.carrier);
  const { plan, node } = await prepareManualCall(
    {
      orgId,
      userId: userId ?? caller.userId,
      answerWithinMs: ANSWER_WITHIN_MS,
      incoming: false,
      leg: {
        channel: "softphone",
        direction: "outbound",
        fromNumber: number.number,
        toNumber: to,
        carrier: number.carrier,
        keyId: caller.keyId,
      },
    },
    deps,
  );
  const { sessionId, callId } = plan;
  const legTicket = await tickets.sign({ sessionId, orgId, kind: "leg" }, LEG_TICKET_TTL_SECS);
  const ticket = await tickets.sign({ sessionId, orgId, kind: "call" });
  const dialed = { sessionId, node, ticket: legTicket };
  const { callSid } = await dialLeg(connected, dialed, { to, from: number.number }, deps);
  return {
    sessionId,
    callId,
    callMode: "manual",
    websocketUrl: callSocketUrl({ publicUrl: node.publicUrl, sessionId, ticket }),
    callSid,
    fromNumber: number.number,
    toNumber: to,
  };
}

/**
 * Recovers an earlier manual call, with a fresh ticket. Returns undefined while it may be about to change. Throws
 * `AppError` session_ended if the call is over or its gateway gone.
 */
export async function recoverManual(
  sessionId: string,
  about: { readonly orgId: string; readonly mayBeInFlight: boolean },
  deps: PhoneSessionDeps,
): Promise<ManualCallPlaced | undefined> {
  const placed = await recoverPlaced(sessionId, about, deps.database);
  if (!placed) return undefined;
  const { nodeId: _node, status: _status, endedAt: _endedAt, ...call } = placed;
  return { ...call, callMode: "manual", websocketUrl: await socketAgain(placed, about.orgId, deps) };
}
