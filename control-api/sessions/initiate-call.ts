import type { InitiateCall, PlacedCall } from "@parley/shared/contracts/telephony.ts";
import { AppError } from "@parley/shared/errors.ts";
import type { PhoneCalls } from "../carriers/phone-calls.ts";
import { callerNumber } from "../numbers/numbers.ts";
import { type Caller, prepareCall, type SessionDeps } from "./prepare-call.ts";

const RING_TIMEOUT_SECS = 45;

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
  const ticketTtlSecs = RING_TIMEOUT_SECS + 60;
  const prepared = await prepareCall({ input: about, caller, leg, ticketTtlSecs }, deps);
  const { plan } = prepared;
  try {
    const { callSid } = await deps.phoneCalls.dial(connected, prepared, {
      to,
      from: from.number,
      ringTimeoutSecs: RING_TIMEOUT_SECS,
      machineDetection,
    });
    const { sessionId, callId } = plan;
    return { sessionId, callId, callSid, status: "queued", fromNumber: from.number, toNumber: to };
  } catch (error) {
    await deps.phoneCalls.happened(plan.sessionId, { type: "ended", callSid: "", status: "failed" });
    if (error instanceof AppError && error.code === "unauthorized") {
      const message = `${from.carrier} refuses the account's credentials; save new ones under /api/orgs/{orgId}/carriers.`;
      throw new AppError("bad_request", message, { cause: error });
    }
    if (error instanceof AppError) throw error;
    throw new AppError("unavailable", "The carrier cannot be reached; nothing was dialled.", {
      cause: error,
    });
  }
}
