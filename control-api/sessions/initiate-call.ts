import type { InitiateCall, PlacedCall } from "@parley/shared/contracts/telephony.ts";
import type { PhoneCalls } from "../carriers/phone-calls.ts";
import { callerNumber } from "../numbers/numbers.ts";
import { dialLeg, LEG_TICKET_TTL_SECS } from "./dial-leg.ts";
import { type Caller, prepareCall, type SessionDeps } from "./prepare-call.ts";

export interface PhoneSessionDeps extends SessionDeps {
  readonly phoneCalls: PhoneCalls;
}

/**
 * Places an outbound call by an agent: the carrier rings, and connects to the gateway when somebody answers. Throws
 * `AppError` not_found (no such agent), bad_request (number), no_gateway, and what the carrier throws; the call is
 * written down as failed then.
 */
export async function initiateCall(
  input: InitiateCall,
  caller: Caller,
  deps: PhoneSessionDeps,
): Promise<PlacedCall> {
  const { to, machineDetection, fromNumber, fromNumberId, ...about } = input;
  const from = await callerNumber(
    caller.orgId,
    { fromNumber, fromNumberId, agentId: input.agentId },
    deps.database,
  );
  const connected = await deps.phoneCalls.carrierOf(caller.orgId, from.carrier);
  const leg = {
    channel: "telephony",
    direction: "outbound",
    fromNumber: from.number,
    toNumber: to,
    carrier: from.carrier,
    machineDetection,
  };
  const ticketTtlSecs = LEG_TICKET_TTL_SECS;
  const prepared = await prepareCall({ input: about, caller, leg, ticketTtlSecs }, deps);
  const { sessionId, callId } = prepared.plan;
  const { callSid } = await dialLeg(
    connected,
    { ...prepared, sessionId },
    { to, from: from.number, machineDetection },
    deps.phoneCalls,
  );
  return { sessionId, callId, callSid, status: "queued", fromNumber: from.number, toNumber: to };
}
