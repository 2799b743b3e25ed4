import type { InitManualCall, ManualCallPlaced } from "@parley/shared/contracts/telephony.ts";
import { AppError } from "@parley/shared/errors.ts";
import { assertOurs, manualNumber } from "../numbers/numbers.ts";
import { listNodes } from "./choose-node.ts";
import { dialLeg, LEG_TICKET_TTL_SECS, RING_TIMEOUT_SECS } from "./dial-leg.ts";
import type { PhoneSessionDeps, PlacingDeps } from "./initiate-call.ts";
import type { Caller } from "./prepare-call.ts";
import { prepareManualCall } from "./prepare-manual-call.ts";
import { recoverPlaced } from "./recover-placed.ts";

/** The carrier says so itself when nobody answers; this is for the case that it does not. */
const ANSWER_WITHIN_MS = (RING_TIMEOUT_SECS + 45) * 1_000;

/**
 * Places a call that a person makes with a softphone: the carrier rings, and whoever answers is joined to the
 * softphone's socket. Throws `AppError` bad_request (number), not_found (member), no_gateway, and what the carrier
 * throws; the call is written down as failed then.
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
      },
    },
    deps,
  );
  const { sessionId, callId } = plan;
  const legTicket = await tickets.sign({ sessionId, orgId, kind: "leg" }, LEG_TICKET_TTL_SECS);
  const dialled = { sessionId, node, ticket: legTicket };
  const { callSid } = await dialLeg(connected, dialled, { to, from: number.number }, deps);
  return {
    sessionId,
    callId,
    callMode: "manual",
    websocketUrl: await softphoneUrl(sessionId, { orgId, publicUrl: node.publicUrl }, deps),
    callSid,
    fromNumber: number.number,
    toNumber: to,
  };
}

/**
 * A manual call that was asked for before, with a ticket that is good from now on. Undefined while it may be about to
 * change. Throws `AppError` session_ended when its gateway is gone.
 */
export async function recoverManual(
  sessionId: string,
  about: { readonly orgId: string; readonly mayBeUnderWay: boolean },
  deps: PhoneSessionDeps,
): Promise<ManualCallPlaced | undefined> {
  const placed = await recoverPlaced(sessionId, about, deps.database);
  if (!placed) return undefined;
  const { nodeId, status: _status, ...call } = placed;
  const node = (await listNodes(deps.bus.keys)).find((one) => one.nodeId === nodeId);
  if (!node) {
    const message =
      "The gateway that this call was placed on is gone; use a new Idempotency-Key for a new call.";
    throw new AppError("session_ended", message, { details: { sessionId } });
  }
  const { orgId } = about;
  const websocketUrl = await softphoneUrl(sessionId, { orgId, publicUrl: node.publicUrl }, deps);
  return { ...call, callMode: "manual", websocketUrl };
}

async function softphoneUrl(
  sessionId: string,
  { orgId, publicUrl }: { readonly orgId: string; readonly publicUrl: string },
  { tickets }: PhoneSessionDeps,
): Promise<string> {
  const ticket = await tickets.sign({ sessionId, orgId, kind: "call" });
  return `${publicUrl}/v1/calls/${sessionId}?ticket=${ticket}`;
}
